-- Quotes carry the names of the ids in their content: those stored before get the names of the quoted message.
update message it set quote = it.quote || jsonb_build_object('kmarkdown', quoted.kmarkdown - 'raw_content' - 'item_part')
from message quoted
where it.quote is not null and not it.quote ? 'kmarkdown' and quoted.id = (it.quote->>'id')::uuid
  and quoted.deleted_at is null and quoted.kmarkdown ? 'mention_part'
  and quoted.kmarkdown - 'raw_content' - 'item_part'
    <> '{"mention_part": [], "mention_role_part": [], "channel_part": []}';

update private_message it set quote = it.quote || jsonb_build_object('kmarkdown', quoted.kmarkdown - 'raw_content' - 'item_part')
from private_message quoted
where it.quote is not null and not it.quote ? 'kmarkdown' and quoted.id = (it.quote->>'id')::uuid
  and quoted.deleted_at is null and quoted.kmarkdown ? 'mention_part'
  and quoted.kmarkdown - 'raw_content' - 'item_part'
    <> '{"mention_part": [], "mention_role_part": [], "channel_part": []}';
