export { SandboxModule } from './sandbox.module';
export { SANDBOX_SETTINGS, type SandboxSettings } from './settings';
