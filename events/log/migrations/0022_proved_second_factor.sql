-- Which second factor a session has proved: the `totp_event` that its account had then. Null for none, also in what an older
-- node begins: an account that has a second factor is not signed in by such a session.
alter table staff_sessions add column totp_event uuid;
