-- Words in messages: what a search looks for, as lexemes of a GIN index over the messages themselves. Decision 131.
-- The index narrows down; which of its messages match is decided by server/src/search/terms.ts, which reads texts more
-- finely. What that takes for the same has the same lexemes here.

-- Of a text without accents and what cannot be seen, in half width, its letters A to Z small: each word of A to Z and
-- digits with its first one and two characters, and everything else character by character, but for spaces and common
-- punctuation. `keys` are lexemes that no word has. It calls no function of ours: PostgreSQL makes indexes without our
-- schema. Its cost says that nothing but the index should find by it: another plan would call it for each message.
create function search_lexemes(words text, keys text[]) returns tsvector language plpgsql immutable parallel safe cost 100000
as $$
declare
  lexemes text[] := keys;
  word text := '';
  character text;
  code integer;
begin
  foreach character in array string_to_array(lower(regexp_replace(normalize(words, NFKD),
    '[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u0300-\u036f\u0485-\u0486\u0600-\u0605\u061c\u064b-\u0655\u0670\u06dd\u070f'
    '\u0890-\u0891\u08e2\u0951-\u0954\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u1ab0-\u1abd\u1abf-\u1add\u1ae0-\u1aeb\u1cd0-\u1cd2'
    '\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20dc\u20e1'
    '\u20e5-\u20f0\u302a-\u302d\u3099-\u309a\u3164\ufe00-\ufe0f\ufe20-\ufe2d\uffa0\ufff0-\ufffb\U000101fd\U000102e0\U000110bd'
    '\U000110cd\U0001133b\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46'
    '\U0001d167-\U0001d169\U0001d173-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U000e0000-\U000e0fff]',
    '', 'g') collate "C") || ' ', null)
  loop
    code := ascii(character);
    if code between 97 and 122 or code between 48 and 57 then
      word := word || character;
      continue;
    end if;
    if word <> '' then
      lexemes := lexemes || array[left(word, 1), left(word, 2), left(word, 32)];
      word := '';
    end if;
    if code >= 192 and code not between 8192 and 8303 and code not between 12288 and 12292 and code not between 12296 and 12320
    then
      lexemes := lexemes || character;
    end if;
  end loop;
  return array_to_tsvector(lexemes);
end $$;

-- The other functions have nothing but what never changes in them, so that PostgreSQL puts them in place of their calls.

-- What of a message is searched: its words, the texts of cards, the name of a file, the titles of previews.
create function search_words(kind text, content text, kmarkdown jsonb, attachments jsonb, embeds jsonb) returns text
  language sql immutable parallel safe
  return coalesce(kmarkdown->>'raw_content', '') || coalesce(' ' || (attachments->>'name'), '')
    || case when kind = 'card' then ' ' || jsonb_path_query_array(content::jsonb, 'strict $.**.content')::text
      || jsonb_path_query_array(content::jsonb, 'strict $.**.title')::text
      || jsonb_path_query_array(content::jsonb, 'strict $.**.alt')::text else '' end
    || coalesce(' ' || jsonb_path_query_array(embeds, '$[*].title')::text, '');

-- Where a message was sent, when (days and 30 days since 1970), both, and what it has.
create function search_keys(place text, kind text, kmarkdown jsonb, at bigint) returns text[]
  language sql immutable parallel safe
  return array[place, place || '.' || (at / 2592000000)::text, '#d' || (at / 86400000)::text, '#m' || (at / 2592000000)::text]
    || case when kind in ('text', 'kmarkdown') then '{}'::text[] else array['#k' || kind] end
    || case when kmarkdown->>'raw_content' like '%://%' then array['#klink'] else '{}'::text[] end;

create function message_lexemes(kind text, content text, kmarkdown jsonb, attachments jsonb, embeds jsonb, at bigint,
  guild_id bigint, channel_id bigint) returns tsvector language sql immutable parallel safe
  return search_lexemes(search_words(kind, content, kmarkdown, attachments, embeds),
    search_keys('#g' || guild_id::text, kind, kmarkdown, at) || ('#c' || channel_id::text));

create function private_message_lexemes(kind text, content text, kmarkdown jsonb, attachments jsonb, at bigint,
  chat_code text) returns tsvector language sql immutable parallel safe
  return search_lexemes(search_words(kind, content, kmarkdown, attachments, null),
    search_keys('#p' || chat_code, kind, kmarkdown, at));

-- A server with many messages makes its index beside its work (server/src/search/searchIndex.ts), and one with few here.
do $$ begin
  if (select count(*) from (select from message limit 10000) it) < 10000 then
    create index message_search on message using gin (message_lexemes(kind, content, kmarkdown, attachments, embeds,
      create_at, guild_id, channel_id)) where deleted_at is null;
  end if;
  if (select count(*) from (select from private_message limit 10000) it) < 10000 then
    create index private_message_search on private_message using gin (private_message_lexemes(kind, content, kmarkdown,
      attachments, create_at, chat_code)) where deleted_at is null;
  end if;
end $$;
