-- An import that fails is tried again from `retry_at` on, and given up as `failed` after some tries; its file goes then.
-- `claim` tells workers apart: one whose claim ran out notes nothing more.
alter table lead_imports
  drop constraint lead_imports_state_check,
  add constraint lead_imports_state_check check (state in ('uploaded', 'running', 'done', 'undoing', 'undone', 'failed')),
  add column claim uuid,
  add column tries integer not null default 0,
  add column retry_at timestamptz;
