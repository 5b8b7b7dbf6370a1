-- Who was there before there were roles keeps what he could do.
alter table staff add column role text not null default 'owner' check (role in ('owner', 'agent'));
alter table staff alter column role set default 'agent';
