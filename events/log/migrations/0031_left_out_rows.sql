-- Which rows an import has left out, as pairs of the row's number and a word for the reason: nothing of what the rows hold.
-- The file of such an import is kept until two days after it came, so that staff can fetch those rows and correct them.
alter table lead_imports add column left_out jsonb not null default '[]';
