import { defined, type Properties } from '@emu/core/providers';
import { dateText, filterOf, renamed, type Selection, selectionOf } from './shapes.ts';

interface TemplateRule extends Selection {
  Id?: string;
  Status: string;
  AbortIncompleteMultipartUpload?: Properties;
  ExpirationDate?: string;
  ExpirationInDays?: number;
  ExpiredObjectDeleteMarker?: boolean;
  NoncurrentVersionExpiration?: Properties;
  NoncurrentVersionExpirationInDays?: number;
  NoncurrentVersionTransition?: Properties;
  NoncurrentVersionTransitions?: readonly Properties[];
  Transition?: Properties;
  Transitions?: readonly Properties[];
}

const TRANSITION = { TransitionInDays: 'Days', TransitionDate: 'Date' };
const NONCURRENT = { TransitionInDays: 'NoncurrentDays' };

/** Returns a list or single value, as older and newer templates write it. */
const several = (many: readonly Properties[] | undefined, one: Properties | undefined) =>
  many ?? (one ? [one] : undefined);

/** Converts a template's rule to PutBucketLifecycleConfiguration. */
export function lifecycleRule(rule: TemplateRule): Properties {
  const { Prefix, TagFilters, ObjectSizeGreaterThan, ObjectSizeLessThan } = rule;
  const expiration = defined({
    Date: rule.ExpirationDate,
    Days: rule.ExpirationInDays,
    ExpiredObjectDeleteMarker: rule.ExpiredObjectDeleteMarker,
  });
  const noncurrent =
    rule.NoncurrentVersionExpiration ??
    (rule.NoncurrentVersionExpirationInDays === undefined
      ? undefined
      : { NoncurrentDays: rule.NoncurrentVersionExpirationInDays });
  return defined({
    ID: rule.Id,
    Status: rule.Status,
    Filter: filterOf(defined({ Prefix, TagFilters, ObjectSizeGreaterThan, ObjectSizeLessThan }) as Selection) ?? {
      Prefix: '',
    },
    AbortIncompleteMultipartUpload: rule.AbortIncompleteMultipartUpload,
    Expiration: Object.keys(expiration).length ? expiration : undefined,
    NoncurrentVersionExpiration: noncurrent,
    NoncurrentVersionTransitions: renamed(
      several(rule.NoncurrentVersionTransitions, rule.NoncurrentVersionTransition),
      NONCURRENT,
    ),
    Transitions: renamed(several(rule.Transitions, rule.Transition), TRANSITION),
  });
}

/** Converts S3's rule to a template. */
export function templateRule(rule: Properties): Properties {
  const { ID, Status, Filter, Prefix, Expiration, AbortIncompleteMultipartUpload, NoncurrentVersionExpiration } =
    rule as Record<string, Properties>;
  const transitions = (list: unknown, names: Record<string, string>) =>
    (list as Properties[] | undefined)?.map(({ Date: date, Days, NoncurrentDays, ...transition }) =>
      renamed(defined({ ...transition, Date: dateText(date), Days, NoncurrentDays }), names),
    );
  return defined({
    Id: ID,
    Status,
    ...selectionOf(Filter ?? { Prefix }),
    AbortIncompleteMultipartUpload,
    ExpirationDate: dateText(Expiration?.Date),
    ExpirationInDays: Expiration?.Days,
    ExpiredObjectDeleteMarker: Expiration?.ExpiredObjectDeleteMarker,
    NoncurrentVersionExpiration,
    NoncurrentVersionTransitions: transitions(rule.NoncurrentVersionTransitions, {
      NoncurrentDays: 'TransitionInDays',
    }),
    Transitions: transitions(rule.Transitions, { Date: 'TransitionDate', Days: 'TransitionInDays' }),
  });
}
