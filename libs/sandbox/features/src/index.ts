export { restoreClock } from './advance-clock/restore-clock';
export { SandboxModule } from './sandbox.module';
export { SANDBOX_SETTINGS, type SandboxSettings } from './settings';
