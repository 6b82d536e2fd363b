-- Takes a run of a process that is gone over, so that it is closed in one statement: where this returns null, another is at it,
-- its writer has renewed its lease, or more of its text is kept than the caller has read (`p_logged`, `p_shown`).
create function take_over_generation(p_id uuid, p_epoch integer, p_owner text, p_logged integer, p_shown bigint)
returns integer language plpgsql as $$
begin
  perform 1 from generations g
    where g.id = p_id and g.epoch = p_epoch and g.state in ('queued', 'running')
      and p_logged = (select coalesce(max(c.seq_to), 0) from generation_chunks c where c.generation_id = p_id and c.epoch = p_epoch)
      -- Of its own runs a process knows which go on; what it shows is of those.
      and (g.owner = p_owner
           or (not exists (select 1 from engine_leases l where l.owner = g.owner and l.lease_until >= app_now())
               and p_shown >= (select coalesce(max(s.seq), 0) from shown_pieces s where s.owner = g.owner)))
    for update skip locked;
  if not found then return null; end if;
  update generations set epoch = p_epoch + 1 where id = p_id;
  update gateway_calls set outcome = 'lost', finished_at = app_now() where generation_id = p_id and outcome = 'open';
  return p_epoch + 1;
end $$;
