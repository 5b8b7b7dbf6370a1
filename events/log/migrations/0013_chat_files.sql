-- The files that visitors and staff send in chats. Like presence they are no part of the log: a message's event names its
-- file, and the bytes expire. They are encrypted by the key of the chat's visitor, and deleted when that person is erased.
create table chat_files (
  id uuid primary key,
  session_id uuid not null,
  party text not null check (party in ('visitor', 'admin')),
  media_type text not null,
  size integer not null check (size > 0),
  bytes bytea not null,
  stored_at timestamptz not null default clock_timestamp()
);

-- What is encrypted does not compress.
alter table chat_files alter column bytes set storage external;

create index chat_files_session on chat_files (session_id);
create index chat_files_stored on chat_files (stored_at);

-- Stores a file of a chat. The answer is the outcome
--   stored  the file is in the chat
--   full    the chat would hold more than `most_files`, or more than `most_bytes` in all of them
--   erased  the chat has been erased and takes no more files
-- The lock is that of the chat's pages, taken first: the statements after it see every file, and every erasure, that
-- committed before.
create function store_chat_file(
  file uuid, session uuid, sender text, type text, plain_size integer, sealed bytea, most_files integer, most_bytes bigint
) returns text
language plpgsql as $$
begin
  perform lock_chat_pages(session);
  if exists (select from events e where e.stream = 'chat-desk-' || session and e.type = 'ChatErased') then
    return 'erased';
  elsif (
    select count(*) >= most_files or coalesce(sum(f.size), 0) + plain_size > most_bytes
    from chat_files f where f.session_id = session
  ) then
    return 'full';
  end if;
  insert into chat_files (id, session_id, party, media_type, size, bytes)
  values (file, session, sender, type, plain_size, sealed);
  return 'stored';
end
$$;
