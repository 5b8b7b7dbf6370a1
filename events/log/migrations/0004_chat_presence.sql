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

-- Stores a page after the page `after`, which has to be the chat's newest (0: there is none), and keeps the newest `keep`.
-- The answer is a page, and the outcome
--   stored  the page is the new one
--   late    another page was stored meanwhile: the page is the newest (none, where all have gone)
--   erased  the chat has been erased and takes no more pages
-- The lock is taken first: the statements after it see every page, and every erasure, that committed before.
create function note_chat_page(session uuid, after integer, page bytea, keep integer)
returns table (outcome text, version integer, page_url bytea, viewed_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  perform lock_chat_pages(session);
  if exists (select from events e where e.stream = 'chat-desk-' || session and e.type = 'ChatErased') then
    return query select 'erased', null::integer, null::bytea, null::timestamptz;
  elsif after <> (select coalesce(max(p.version), 0) from chat_pages p where p.session_id = session) then
    return query
    select 'late', newest.version, newest.page_url, newest.viewed_at from (select) one
    left join lateral (
      select p.* from chat_pages p where p.session_id = session order by p.version desc limit 1
    ) newest on true;
  else
    delete from chat_pages p where p.session_id = session and p.version <= after + 1 - keep;
    return query
    insert into chat_pages as stored (session_id, version, page_url)
    values (session, after + 1, page)
    returning 'stored', stored.version, stored.page_url, stored.viewed_at;
  end if;
end
$$;
