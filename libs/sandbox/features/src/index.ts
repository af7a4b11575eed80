export { SandboxModule } from './sandbox.module';
export { SANDBOX_SETTINGS, sandboxSettings, type SandboxSettings } from './settings';
