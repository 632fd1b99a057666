import type { Place } from '@emu/core/service';
import { invalidParameter } from '../errors.ts';

/** System fields for the source of an event. */
export type SystemField = '@aws.account' | '@aws.region';

/** Whether a filter accepts events of a source. */
export type SystemCriteria = (place: Place) => boolean;

const TOKEN = /\s*(?:(@aws\.(?:account|region))|("[^"]*"|'[^']*')|(!=|[=()[\],])|(AND|OR|NOT|IN)\b)/iy;
const MAX_DEPTH = 20;

/** Returns the value of a system field. */
export const systemField = (field: SystemField, { accountId, region }: Place): string =>
  field === '@aws.account' ? accountId : region;

/** Parses system fields, without duplicates; undefined for an unknown one. */
export function systemFieldsOf(names: readonly string[] = []): SystemField[] | undefined {
  const isSystem = (name: string): name is SystemField => name === '@aws.account' || name === '@aws.region';
  return names.every(isSystem) ? [...new Set(names)] : undefined;
}

const invalid = () => invalidParameter('The specified field selection criteria is not valid.');

/** @throws AwsError `InvalidParameterException` */
function tokensOf(criteria: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; criteria.slice(at).trim(); at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [, field, text, sign, word] = TOKEN.exec(criteria) ?? [];
    const token = field?.toLowerCase() ?? text ?? sign ?? word?.toUpperCase();
    if (token === undefined) throw invalid();
    tokens.push(token);
  }
  return tokens;
}

/** Parses criteria by operator precedence, lowest first. */
class Criteria {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  whole(): SystemCriteria {
    const criteria = this.any(0);
    if (this.at < this.tokens.length) throw invalid();
    return criteria;
  }

  private any(depth: number): SystemCriteria {
    const terms = [this.all(depth)];
    while (this.skip('OR')) terms.push(this.all(depth));
    return (place) => terms.some((term) => term(place));
  }

  private all(depth: number): SystemCriteria {
    const terms = [this.term(depth)];
    while (this.skip('AND')) terms.push(this.term(depth));
    return (place) => terms.every((term) => term(place));
  }

  private term(depth: number): SystemCriteria {
    if (depth > MAX_DEPTH) throw invalid();
    if (this.skip('(')) {
      const inside = this.any(depth + 1);
      this.expect(')');
      return inside;
    }
    const field = this.next();
    if (field !== '@aws.account' && field !== '@aws.region') throw invalid();
    const operator = this.next();
    const negated = operator === '!=' || operator === 'NOT';
    if (operator === 'NOT') this.expect('IN');
    else if (operator !== '=' && operator !== '!=' && operator !== 'IN') throw invalid();
    const values = operator === '=' || operator === '!=' ? [this.text()] : this.list();
    return (place) => values.includes(systemField(field, place)) !== negated;
  }

  private list(): string[] {
    this.expect('[');
    const values = [this.text()];
    while (this.skip(',')) values.push(this.text());
    this.expect(']');
    return values;
  }

  private text(): string {
    const token = this.next();
    if (!/^["']/.test(token)) throw invalid();
    return token.slice(1, -1);
  }

  private next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw invalid();
    return token;
  }

  private expect(token: string): void {
    if (this.next() !== token) throw invalid();
  }

  private skip(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }
}

/**
 * Parses a filter's criteria on system fields, e.g. `@aws.region = "us-east-1" OR @aws.account IN ["123456789012"]`.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
 */
export const parseSystemCriteria = (criteria: string | undefined): SystemCriteria =>
  criteria === undefined || criteria === '' ? () => true : new Criteria(tokensOf(criteria)).whole();
