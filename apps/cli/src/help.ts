export const HELP = `tender listen: shows a merchant's webhooks as they come, without a server of the merchant's own

  tender listen                       is the webhook URL of the demo merchant's test mode until Ctrl-C
      --forward-to <address>          passes each on as it came, and answers Tender what is answered there
      --verbose                       shows bodies, too
      --json                          a line of JSON for each, with its body; without a terminal always
      --key <svc_test_…>              of another merchant; or TENDER_API_KEY
      --url <address>                 of another Tender than http://127.0.0.1:8080; or TENDER_URL

tender ops: what an operator does to a running system

  tender ops projections
      Every projection: its generations, how far each is, what is parked.

  tender ops replay <projection>      a new table beside the live one, from the log, compared, then in its place
  tender ops replay --all             every projection, one after the other
      --yes                           does not ask before the swap; needed where there is no terminal
      --dry-run                       says what it would do, and does nothing
      --to <generation>               puts an older table back in place, brought up to date
      --to roll-back                  the one that was live before
      --to drop-old                   drops every table but the live one
      Nothing is sent while it runs. Ctrl-C ends it after the batch in hand; the same command goes on.
      The table that was live before is kept, an older one is dropped.

  tender ops parked [list]            messages that a consumer could not handle
  tender ops parked show <id>         one of them, with its error
  tender ops parked retry <id>        is tried again within half a minute
  tender ops parked retry-all <consumer>
  tender ops parked drop <id> --reason <text>
      Gives a message up; what it was, why and by whom is kept in <schema>.parked_dropped.

  tender ops invariants
      Holds all objects against the invariants of docs/invariants.md, as the services do hourly with what has changed;
      names each object that breaks one. What only the chain tells is left to the services. Exit code 1: something is broken.

  tender ops erase --merchant <id> --email <address>
      Deletes the keys of a customer, whose data cannot be read any more. The money's history stays.
      --yes                           asks no question; needed where there is no terminal
  tender ops audit verify
      Holds each entry of the admins' audit log to its seal and to the one before; names the first that is broken or was cut off.
      Needs the DATA_DIR (and MASTER_KEY) of the services, whose keys made the seals.
  tender ops chain-restart --mode test|live
      The indexer goes on at the newest block of the chain that answers now, and looks open payments up there:
      for a chain in place of another, or a ledger that was made anew or restored.

  tender ops migrate-log              hands the log of a stopped program that ran alone over to services
      --dry-run                       says what it would do, and does nothing
      With EVENTSTORE_URL every event is copied there and compared; without it the services go on with the
      log in Postgres. Ctrl-C or a kill loses nothing; the same command goes on.

Settings of tender ops, as the services take them: DATABASE_URL and EVENTSTORE_URL; without them the
program that runs on DATA_DIR (.data), or did before migrate-log. Each command says first which system that is.
NO_COLOR turns colours off. With --json, and without a terminal, every command writes one JSON object per line.

Exit codes: 0 done, 1 could not be done, 2 the command is wrong, 3 a table is built and not put in place
(no --yes), 130 interrupted.`;
