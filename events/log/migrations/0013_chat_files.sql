-- The files that visitors and staff send in chats. Like presence they are no part of the log: a message's event names its
-- file, and the bytes expire. Bytes and name are encrypted by the key of the chat's visitor, and deleted when that person is
-- erased. `posted_at` is null until a message is about to name the file: without one it goes after an hour.
create table chat_files (
  id uuid primary key,
  session_id uuid not null,
  party text not null check (party in ('visitor', 'admin')),
  media_type text not null,
  size integer not null check (size > 0),
  name bytea not null,
  bytes bytea not null,
  stored_at timestamptz not null default clock_timestamp(),
  posted_at timestamptz
);

-- What is encrypted does not compress.
alter table chat_files alter column bytes set storage external;

create index chat_files_session on chat_files (session_id);
create index chat_files_stored on chat_files (stored_at);
create index chat_files_orphans on chat_files (stored_at) where posted_at is null;

-- Stores a file of a chat. The answer is the outcome
--   stored     the file is in the chat
--   chat_full  the chat would hold more than `most_files`, or more than `most_bytes` in all of them
--   full       all chats together would hold more than `most_files_in_all` or `most_bytes_in_all`
--   erased     the chat has been erased and takes no more files
-- The lock of the chat's pages is taken first: the statements after it see every file, and every erasure, that committed
-- before. The second lock keeps the limits of all chats together: it is held for the time of one insert. The sum is over
-- some 100 bytes a file, since the files' own bytes are apart from their rows.
create function store_chat_file(
  file uuid, session uuid, sender text, type text, plain_size integer, sealed_name bytea, sealed bytea,
  most_files integer, most_bytes bigint, most_files_in_all integer, most_bytes_in_all bigint
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
    return 'chat_full';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('chat files', 0));
  if (
    select count(*) >= most_files_in_all or coalesce(sum(f.size), 0) + plain_size > most_bytes_in_all from chat_files f
  ) then
    return 'full';
  end if;
  insert into chat_files (id, session_id, party, media_type, size, name, bytes)
  values (file, session, sender, type, plain_size, sealed_name, sealed);
  return 'stored';
end
$$;
