/** Forms of text that no JSON Schema can check. */

export const PAGE_URL_CHARACTERS_MAX = 2048;

/** Of a page that a browser may be sent to: http or https, no user in it. */
export function isPageUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > PAGE_URL_CHARACTERS_MAX) return false;
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

const ZONED =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** ISO 8601 with its zone, of a day that there is. */
export function isZonedTime(value: unknown): boolean {
  const parts = typeof value === 'string' ? ZONED.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number];
  const is_leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && is_leap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day alone, of which the whole is meant, UTC. */
export const isDay = (value: unknown): boolean =>
  typeof value === 'string' && DAY.test(value) && isZonedTime(`${value}T00:00Z`);

export const isDayOrZonedTime = (value: unknown): boolean => isDay(value) || isZonedTime(value);

/** ISO 3166-1 alpha-2, as of 2026. */
const COUNTRIES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
    'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
    'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
    'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
    'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
    'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
    'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

export const isCountry = (value: unknown): boolean =>
  typeof value === 'string' && COUNTRIES.has(value);
