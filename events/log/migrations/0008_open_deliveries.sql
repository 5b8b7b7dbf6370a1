-- What may need somebody: few among all that has gone out. Queries that name this very condition read these alone.
create index deliveries_open on deliveries (event_position desc)
where state not in ('delivered', 'outbox') and (state <> 'rejected' or recipient = 'agency');
