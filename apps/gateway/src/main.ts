import { runGateway } from './run-gateway';

if (require.main === module) void runGateway();

export { runGateway as run };
