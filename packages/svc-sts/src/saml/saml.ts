import { createHash } from 'node:crypto';
import type { AwsError } from '@emu/wire';
import { stsError } from '../errors.ts';
import { requireArn } from '../sessions/roles.ts';
import { checkTokenTags } from '../tags.ts';
import { parseXml, type XmlElement } from './xml.ts';

const rejected = (message: string): AwsError => stsError('InvalidIdentityTokenException', message);

const ATTRIBUTES = 'https://aws.amazon.com/SAML/Attributes/';
const NAME_ID_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:';
/** Period in which a response is accepted after its issue. */
const REDEMPTION_WINDOW = 300_000;
const SESSION_NAME = /^[\w+=,.@-]{2,64}$/;
/** Audiences of AWS's sign-in, in every partition and region. */
const AUDIENCE =
  /^(urn:amazon:webservices(:[\w-]+)?|https:\/\/([\w-]+\.)*signin\.(aws\.amazon\.com|amazonaws\.cn|amazonaws-us-gov\.com)\/(saml|static\/saml)(\/[\w-]+)?)$/;

/** A parsed ARN of a SAML identity provider. */
export interface SamlProvider {
  partition: string;
  accountId: string;
  name: string;
}

/** Content of a SAML response that STS uses. */
export interface SamlResponse {
  issuer: string;
  subject: string;
  /** Format of the NameID, without the prefix of SAML 2.0. */
  subjectType: string;
  /** URL to which the response was addressed. */
  recipient: string;
  sessionName: string;
  /** Pairs of role ARN and provider ARN, in either order. */
  roles: string[][];
  /** Session duration in seconds requested by the identity provider. */
  sessionDuration: number | undefined;
  /** Whole seconds until the provider's session ends; infinite if not limited. */
  remainingSeconds: number;
  tags: { Key: string; Value: string }[];
  transitiveTagKeys: string[];
  sourceIdentity: string | undefined;
}

/**
 * Parses the ARN of a SAML provider.
 * @returns undefined for an ARN of another type
 * @throws AwsError `ValidationError` for an invalid ARN
 */
export function parseSamlProviderArn(value: string): SamlProvider | undefined {
  const { partition, service, accountId, resource } = requireArn(value);
  const name = /^saml-provider\/([\w.-]{1,128})$/.exec(resource)?.[1];
  return service === 'iam' && name !== undefined ? { partition, accountId, name } : undefined;
}

/**
 * Returns a qualifier that distinguishes subjects of different providers: base64 of a SHA-1 over issuer, account and
 * provider.
 */
export function nameQualifier(issuer: string, provider: SamlProvider): string {
  return createHash('sha1').update(`${issuer}${provider.accountId}/${provider.name}`).digest('base64');
}

/**
 * Parses a SAML response. `verifySaml` verifies its signature.
 * @param encoded the response in base64, as posted by the identity provider
 * @param now epoch milliseconds
 * @throws AwsError `InvalidIdentityToken` or `ExpiredTokenException`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_create_saml_assertions.html
 */
export function readSamlResponse(encoded: string, now: number): SamlResponse {
  const assertion = assertionOf(encoded);
  const subject = child(assertion, 'Subject');
  const nameId = child(subject, 'NameID');
  const confirmation = child(child(subject, 'SubjectConfirmation'), 'SubjectConfirmationData');
  const conditions = child(assertion, 'Conditions');
  const issuer = text(child(assertion, 'Issuer'));
  const recipient = confirmation?.attributes.Recipient;
  if (issuer === '' || !nameId || text(nameId) === '' || recipient === undefined)
    throw rejected('Your request included an invalid SAML response');
  checkTimes(assertion, [conditions, confirmation], now);
  checkAudience(conditions);
  const { sessionName, ...attributes } = readAttributes(assertion);
  const sessionEnd = attributeTime(child(assertion, 'AuthnStatement'), 'SessionNotOnOrAfter');
  return {
    issuer,
    subject: text(nameId),
    subjectType: (nameId.attributes.Format ?? '').replace(NAME_ID_FORMAT, ''),
    recipient,
    sessionName: requireSessionName(sessionName),
    remainingSeconds: sessionEnd === undefined ? Number.POSITIVE_INFINITY : Math.ceil((sessionEnd - now) / 1000),
    ...attributes,
  };
}

/** Decodes the XML of a response in base64. @throws AwsError `InvalidIdentityToken` */
export function documentOf(encoded: string): string {
  const bytes = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
  if (!bytes?.length) throw rejected('Invalid base64 SAMLResponse');
  return bytes.toString('utf8');
}

/** Returns the assertion of a response, or the document itself if it is one; otherwise undefined. */
export function assertionIn(document: string): XmlElement | undefined {
  const root = parseXml(document);
  return root?.name === 'Assertion' ? root : child(root, 'Assertion');
}

function assertionOf(encoded: string): XmlElement {
  const assertion = assertionIn(documentOf(encoded));
  if (!assertion) throw rejected('Your request included an invalid SAML response');
  return assertion;
}

const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one) => one.name === name);

const text = (element: XmlElement | undefined): string => element?.text.trim() ?? '';

function attributeTime(element: XmlElement | undefined, attribute: string): number | undefined {
  const value = element?.attributes[attribute];
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw rejected('Your request included an invalid SAML response');
  return time;
}

function checkTimes(assertion: XmlElement, limited: (XmlElement | undefined)[], now: number): void {
  const starts = limited.map((element) => attributeTime(element, 'NotBefore')).filter((start) => start !== undefined);
  if (starts.some((start) => now < start)) throw rejected('Your request included an invalid SAML response');
  const issuedAt = attributeTime(assertion, 'IssueInstant');
  const ends = limited.map((element) => attributeTime(element, 'NotOnOrAfter')).filter((end) => end !== undefined);
  const sessionEnd = attributeTime(child(assertion, 'AuthnStatement'), 'SessionNotOnOrAfter');
  if (sessionEnd !== undefined) ends.push(sessionEnd);
  if (issuedAt !== undefined) ends.push(issuedAt + REDEMPTION_WINDOW);
  if (ends.some((end) => now >= end))
    throw stsError('ExpiredTokenException', 'Token must be redeemed within 5 minutes of issuance');
}

function checkAudience(conditions: XmlElement | undefined): void {
  const restriction = child(conditions, 'AudienceRestriction');
  if (restriction && !restriction.children.some((one) => one.name === 'Audience' && AUDIENCE.test(text(one))))
    throw rejected('Response does not contain the required audience.');
}

function requireSessionName(name: string | undefined): string {
  if (name === undefined) throw rejected('RoleSessionName is required in AuthnResponse');
  if (!SESSION_NAME.test(name)) throw rejected('RoleSessionName in AuthnResponse must match [a-zA-Z_0-9+=,.@-]{2,64}');
  return name;
}

type Attributes = Pick<SamlResponse, 'roles' | 'sessionDuration' | 'tags' | 'transitiveTagKeys' | 'sourceIdentity'> & {
  sessionName: string | undefined;
};

/** Attributes defined by AWS. */
function readAttributes(assertion: XmlElement): Attributes {
  const values = new Map<string, string[]>();
  for (const statement of assertion.children.filter((one) => one.name === 'AttributeStatement'))
    for (const attribute of statement.children) {
      const name = attribute.attributes.Name;
      if (attribute.name === 'Attribute' && name?.startsWith(ATTRIBUTES))
        values.set(name.slice(ATTRIBUTES.length), attribute.children.map(text));
    }
  const tags = [...values].flatMap(([name, [Value = '']]) =>
    name.startsWith('PrincipalTag:') ? [{ Key: name.slice('PrincipalTag:'.length), Value }] : [],
  );
  checkTokenTags(tags, rejected('The session tags in the SAML response are malformed'));
  return {
    sessionName: values.get('RoleSessionName')?.[0],
    roles: (values.get('Role') ?? []).map((value) => value.split(',').map((arn) => arn.trim())),
    sessionDuration: readDuration(values.get('SessionDuration')?.[0]),
    tags,
    transitiveTagKeys: values.get('TransitiveTagKeys') ?? [],
    sourceIdentity: readSourceIdentity(values.get('SourceIdentity')?.[0]),
  };
}

function readDuration(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (seconds < 900 || seconds > 43_200)
    throw rejected('SessionDuration in AuthnResponse must be between 900 and 43200');
  return seconds;
}

function readSourceIdentity(value: string | undefined): string | undefined {
  if (value !== undefined && (!SESSION_NAME.test(value) || value.startsWith('aws:')))
    throw rejected('Source Identity must match [a-zA-Z_0-9+=,.@-]{2,64} and not begin with "aws:"');
  return value;
}
