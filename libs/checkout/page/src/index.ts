export * from './page-data';
export * from './render-page';
export { renderPlanPage, renderPlanView } from './plan/render-plan-page';
export { ATTEMPT_FIELD } from './screens/attempt-field';
export * from './built-assets';
