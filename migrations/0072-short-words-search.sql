-- Words of one and two letters, of which the index of three letters in a row knows nothing: Chinese and Japanese have many.

-- The letters of scripts that are written without blanks, each two of them that follow each other, and the two Latin
-- letters that such a letter stands before: what begins there is no word of its own to the index of three.
create function unspaced_parts(content text) returns text[] language plpgsql immutable parallel safe as $$
declare
  letters constant text := '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]';
begin
  if content is null or content !~ letters then return '{}'; end if;
  return (
    select coalesce(array_agg(distinct part), '{}')
      from (select letter, lead(letter) over (order by at) as next
              from unnest(string_to_array(lower(content), null)) with ordinality as l(letter, at)) pairs,
           lateral (values (letter), (case when next ~ letters then letter || next end)) parts(part)
     where letter ~ letters and part is not null)
    || array(select distinct latin[1] from regexp_matches(lower(content), '(?<=' || letters || ')[a-z0-9]{2}', 'g') latin);
end $$;

-- Both may say yes too often, never no: without an index for them, always yes.
do $$
begin
  create index chat_messages_unspaced_parts on chat_messages using gin (user_id, unspaced_parts(left(content, 100000)))
    with (fastupdate = off);
  -- Two of the three letters in a row that a word of two letters has begin such a word; the limit of similarity is 0.6.
  create function may_begin_word(content text, part text) returns boolean language sql stable parallel safe
    as 'select lower(left($1, 100000)) %> $2 or unspaced_parts(left($1, 100000)) @> array[lower($2)]';
  create function may_hold_unspaced(content text, part text) returns boolean language sql stable parallel safe
    as 'select unspaced_parts(left($1, 100000)) @> array[lower($2)]';
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object or undefined_function then
  raise warning 'no index for words of two letters: %', sqlerrm;
  create function may_begin_word(content text, part text) returns boolean language sql immutable parallel safe
    as 'select true';
  create function may_hold_unspaced(content text, part text) returns boolean language sql immutable parallel safe
    as 'select true';
end $$;
