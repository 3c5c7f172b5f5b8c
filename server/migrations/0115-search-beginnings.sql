-- Searches for words of letters and for frequent characters were slow on large servers: all words with a beginning had to
-- be collected, and messages that have two frequent characters, but not together, had to be read. Decision 131.

-- Of a text without accents and what cannot be seen, in half width, its letters A to Z small: the beginnings of each word
-- of A to Z and digits, of some lengths, and everything else character by character, but for spaces and common
-- punctuation; where two of the most frequent characters of Chinese stand together, also both as one. `keys` are lexemes
-- that no word has. It calls no function of ours: PostgreSQL makes indexes without our schema. Its cost says that nothing
-- but the index should find by it: another plan would call it for each message.
create or replace function search_lexemes(words text, keys text[]) returns tsvector language plpgsql immutable parallel safe cost 100000
as $$
declare
  lexemes text[] := keys;
  word text := '';
  frequent text := '';
  character text;
  code integer;
  length integer;
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
      frequent := '';
      continue;
    end if;
    if word <> '' then
      foreach length in array '{1,2,3,4,6,8,12,16,24,32}'::integer[] loop
        exit when length > char_length(word);
        lexemes := lexemes || left(word, length);
      end loop;
      word := '';
    end if;
    if code >= 192 and code not between 8192 and 8303 and code not between 12288 and 12292 and code not between 12296 and 12320
    then
      lexemes := lexemes || character;
      if character = any('{的,我,了,你,是,不,一,在,有,他,這,们,們,这,個,个,人,來,来,么,麼,麽,那,說,説,说,好,就,要,到,嗎,吗,什,没,她,會,会,得,去,上,想,看,都,很,'
        '可,以,知,道,為,爲,为,能,過,过,還,还,對,对,把,也,下,大,吧,時,时,給,给,和,自,己,樣,样,子,出,事,現,现,啊,後,后,生,裏,裡,里,家,真,眞,多,'
        '天,起,經,经,做,小,然,中,怎,心,今,年,走,找,開,开,地,點,点,迴,回,用,但,快,誰,谁,讓,让,別,彆,别,再,謝,谢,話,话,聽,听,兒,儿,當,噹,当,明,'
        '老,學,学,隻,只,面,麪,麫,麵,些,發,髮,发,所,法,成,最,打,先,愛,爱,太,西,意,呢,哈,因,前,行,思,定,被,從,从,方,問,问,題,题,間,间,晚,朋,友,'
        '傢,齣}'::text[]) then
        if frequent <> '' then
          lexemes := lexemes || (frequent || character);
        end if;
        frequent := character;
        continue;
      end if;
    end if;
    frequent := '';
  end loop;
  return array_to_tsvector(lexemes);
end $$;

drop index if exists message_search, private_message_search;

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
