-- Small pictures of staff, a few kilobytes each. The tag changes with what is in a picture: it names the picture in its address.
alter table staff add column photo bytea, add column photo_tag text;

-- The planner's statistics would keep samples of pictures.
alter table staff alter column photo set statistics 0;
