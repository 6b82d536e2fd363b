-- What was dictated is erased once nobody may ask for it again; this finds it.
create index generations_dictation_texts on generations (finished_at) where feature = 'dictation' and text <> '';

-- The function as it is, and with fair use for everybody whom the work costs nothing.
do $$
declare
  v_old text := pg_get_functiondef('admit_generation'::regproc);
  v_new text := replace(v_old, 'if v_plan <> ''free'' and p_counted and p_fair_use', 'if (v_plan <> ''free'' or p_price = 0) and p_counted and p_fair_use');
begin
  if v_new = v_old then raise exception 'admit_generation has no fair use of its unlimited plans'; end if;
  execute v_new;
end $$;
