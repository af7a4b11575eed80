import { PROGRAM } from './roles';

/** Below are the objects that Postgres has made itself. */
const FIRST_OF_OURS = 16_384;
/** The role that `initdb` makes, whatever its name. */
const BOOTSTRAP = 10;

const OURS = (alias: string, owner: string): string =>
  `${alias}.${owner} = ${BOOTSTRAP} and ${alias}.oid >= ${FIRST_OF_OURS} and not exists (
     select from pg_depend d where d.classid = ${alias}.tableoid and d.objid = ${alias}.oid and d.deptype = 'e')`;

/**
 * Gives the program everything that the superuser owns in this database, which was its everyday role in
 * releases before. Of an index, an array type, the sequence of a column the owner follows. What belongs
 * to an extension stays. It is one transaction, and has nothing to do when it is repeated.
 */
export const HAND_OVER = `
  do $$ declare one text; begin for one in
    select format('schema %I', n.nspname) from pg_namespace n where ${OURS('n', 'nspowner')}
    union all
    select format('%s %s', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' when 'c' then 'type' when 'f' then 'foreign table' else 'table' end, c.oid::regclass)
      from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f') and ${OURS('c', 'relowner')}
      and not exists (select from pg_depend d where d.classid = c.tableoid and d.objid = c.oid
        and c.relkind = 'S' and d.refclassid = c.tableoid and d.deptype in ('a', 'i'))
    union all
    select format('%s %s', case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end,
        p.oid::regprocedure)
      from pg_proc p where ${OURS('p', 'proowner')}
    union all
    select format('type %s', t.oid::regtype) from pg_type t
      where t.typtype in ('d', 'e', 'r') and ${OURS('t', 'typowner')}
    union all
    select format('statistics %I.%I', s.stxnamespace::regnamespace, s.stxname)
      from pg_statistic_ext s where ${OURS('s', 'stxowner')}
  loop execute format('alter %s owner to ${PROGRAM}', one); end loop; end $$`;
