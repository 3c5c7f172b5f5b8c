-- What a guild is about: a word of `wire/src/guild/category.ts`; empty: nobody has said.
alter table guild add column category text not null default '';
