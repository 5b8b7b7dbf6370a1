-- Whether an account is told on its devices of a chat that waits for its first answer.
alter table staff add column alerts_chats boolean not null default true;
