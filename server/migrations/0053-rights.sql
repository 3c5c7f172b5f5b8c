-- What the level of a guild and a membership of BUFF bring.

-- Whether a picture has several frames. Of pictures from before it is not known; they count as still.
alter table asset add column is_moving boolean not null default false;
