-- How far each side of a chat has got with what the other wrote, and the pages that its visitor went to. This is presence,
-- not history: it is no part of the log, it is limited for each chat, and it expires.
create table chat_receipts (
  session_id uuid not null,
  party text not null check (party in ('visitor', 'admin')),
  delivered integer not null,
  seen integer not null,
  noted_on date not null default (now() at time zone 'UTC')::date,
  primary key (session_id, party)
) with (fillfactor = 70);

-- By day, not by instant: a row that is updated again on the same day keeps its index entries (a heap-only update).
create index chat_receipts_noted on chat_receipts (noted_on);

-- The newest pages of each chat. `version` counts all pages that were stored of a chat, those that have gone too.
create table chat_pages (
  session_id uuid not null,
  version integer not null,
  page_url bytea not null,
  viewed_at timestamptz not null default clock_timestamp(),
  primary key (session_id, version)
);

create index chat_pages_viewed on chat_pages (viewed_at);

-- Serialises what is stored and what is forgotten of a chat's pages, until the transaction ends.
create function lock_chat_pages(session uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('chat pages ' || session, 0))
$$;

-- Stores a page as the newest one of its chat, and keeps the newest `keep`. The answer is its version and time. Nothing is
-- stored, and the answer is empty, where the visitor is there already (`is_first`: at the page where the chat began), `most`
-- pages have been stored, or the chat has been erased. Equal pages of a chat are encrypted to equal bytes.
-- The lock is taken first: the statements after it see every page, and every erasure, that committed before.
create function note_chat_page(session uuid, page bytea, is_first boolean, keep integer, most integer)
returns table (version integer, viewed_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  newest chat_pages;
  after integer;
begin
  perform lock_chat_pages(session);
  if exists (select from events e where e.stream = 'chat-desk-' || session and e.type = 'ChatErased') then
    return;
  end if;
  select p.* into newest from chat_pages p where p.session_id = session order by p.version desc limit 1;
  after := coalesce(newest.version, 0);
  if after >= most or newest.page_url = page or (after = 0 and is_first) then
    return;
  end if;
  delete from chat_pages p where p.session_id = session and p.version <= after + 1 - keep;
  return query
  insert into chat_pages as stored (session_id, version, page_url) values (session, after + 1, page)
  returning stored.version, stored.viewed_at;
end
$$;
