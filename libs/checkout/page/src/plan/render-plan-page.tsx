import { renderToString } from 'preact-render-to-string';
import { htmlDocument } from '@tender/page';
import type { BuiltAssets } from '../render-page';
import { PLAN_WORDS, PlanPage } from './plan-page';
import { planView, type PlanChanges, type PlanPageData, type PlanView } from './plan-view';

/** The page of a plan or of a subscription to it, whole without its script. */
export const renderPlanPage = (
  data: PlanPageData,
  assets: Pick<BuiltAssets, 'plan_script' | 'style'>,
  changes: PlanChanges = {},
): string => renderPlanView(planView(data, changes), assets);

/** The page of a view, whatever screen it is at. */
export function renderPlanView(
  view: PlanView,
  { plan_script: script, style }: Pick<BuiltAssets, 'plan_script' | 'style'>,
): string {
  const { language, shown } = view.page;
  const title = PLAN_WORDS[language].title(shown.merchant_name);
  const body = renderToString(<PlanPage view={view} />);
  return htmlDocument({ language, title, style, script, body });
}
