import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Describe, IsDayOrZonedTime, PAGE_LIMIT_MAX, PageQuery } from './validation';

export const LIST_LIMIT_DEFAULT = 50;

/** Of lists that show 50 by default (specification, Limits). */
export class LongListQuery extends PageQuery {
  @Describe(`How many at most; ${LIST_LIMIT_DEFAULT} by default.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  declare limit?: number;
}

/** Of a dashboard’s list of what happened at a time. */
export class DatedListQuery extends LongListQuery {
  @Describe('From then on; a day alone begins with its first moment, UTC.', '2026-05-01')
  @IsOptional()
  @IsDayOrZonedTime()
  start_date?: string;

  @Describe('Until then, then included; a day alone ends with its last moment, UTC.', '2026-05-31')
  @IsOptional()
  @IsDayOrZonedTime()
  end_date?: string;
}

/** Where the page of a dashboard’s list lies, beside its items (specification §1.7). */
export class DashboardPage {
  @Describe('How many there are on all pages.') @IsInt() total!: number;
  @IsInt() limit!: number;
  @IsInt() offset!: number;
}
