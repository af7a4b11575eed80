import { IsBoolean, IsString } from 'class-validator';
import { route } from './route';
import { Describe, IsReason } from './validation';

/** The settings that name the key files of sponsors: treasury reads them, what starts it on local chains sets them. */
export const SPONSOR_KEY_FILES = {
  test: 'SPONSOR_KEY_FILE_TEST',
  live: 'SPONSOR_KEY_FILE_LIVE',
} as const;

export class SwitchSponsorBody {
  @Describe('Whether the fees of gasless payments are paid from now on, in both modes.', false)
  @IsBoolean()
  enabled!: boolean;

  @IsReason() reason!: string;
}

export class SwitchSponsorAnswer {
  @IsBoolean() enabled!: boolean;
  @IsString() reason!: string;
}

export const switchSponsor = route({
  id: 'switchSponsor',
  method: 'POST',
  path: '/admin/sponsor',
  context: 'treasury',
  auth: 'admin',
  limit: 'none',
  idempotent: false,
  body: SwitchSponsorBody,
  answers: { 200: SwitchSponsorAnswer },
  refusals: [],
  summary: 'Stop the sponsor of fees, or start it again',
  tag: 'Admin',
});

export const treasuryRoutes = [switchSponsor] as const;
