-- Which rows an import has added without a cell that could not be used, each as its line, words for those cells and the
-- row's number: nothing of what the rows hold.
alter table lead_imports add column incomplete jsonb not null default '[]';
