-- When the host of a lobby looked for players, which is possible once, and the role that a server mentions for that.
ALTER TABLE tables ADD COLUMN looked_at REAL;
ALTER TABLE servers ADD COLUMN looking_role_id INTEGER;
