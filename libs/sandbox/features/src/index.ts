export { sandboxContext } from './sandbox.context';
