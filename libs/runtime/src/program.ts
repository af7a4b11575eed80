/** What a program needs that stands on none of the ports: the rest of the runtime would load all of them. */
export * from './service/run-until-stopped';
export * from './settings/origins';
