/** Values of types that are not plain text, by the type without `AWS::EC2::` and the like. */
const OF_TYPE: Readonly<Record<string, string>> = {
  Number: '1',
  CommaDelimitedList: 'one,two',
  'AvailabilityZone::Name': 'us-east-1a',
  'Image::Id': 'ami-0123456789abcdef0',
  'Instance::Id': 'i-0123456789abcdef0',
  'SecurityGroup::Id': 'sg-0123456789abcdef0',
  'Subnet::Id': 'subnet-0123456789abcdef0',
  'VPC::Id': 'vpc-0123456789abcdef0',
  'Volume::Id': 'vol-0123456789abcdef0',
  'HostedZone::Id': 'Z0123456789ABC',
};

/** Texts by the name of a parameter. */
const OF_NAME: readonly (readonly [RegExp, string])[] = [
  [/cert/i, 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef'],
  [/key.*arn|kms/i, 'arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef'],
  [/role.*arn|arn.*role|roleref/i, 'arn:aws:iam::123456789012:role/dummy'],
  [/boundary/i, 'arn:aws:iam::123456789012:policy/dummy'],
  [/topic.*arn/i, 'arn:aws:sns:us-east-1:123456789012:dummy'],
  [/queue.*arn/i, 'arn:aws:sqs:us-east-1:123456789012:dummy'],
  [/secret.*arn/i, 'arn:aws:secretsmanager:us-east-1:123456789012:secret:dummy-AbCdEf'],
  [/domain/i, 'dummy.example.com'],
  [/vpc.*endpoint/i, 'vpce-0123456789abcdef0'],
  [/hostedzone/i, 'Z0123456789ABC'],
  [/email/i, 'dummy@example.com'],
];

/** Texts for patterns; the first that a parameter allows is its value. */
const TEXTS = [
  'dummy',
  'dummy-value',
  'Dummy-1234',
  '1',
  '10',
  'true',
  'dummy.example.com',
  'dummy@example.com',
  'https://example.com',
  '10.0.0.0/16',
  'arn:aws:iam::123456789012:role/dummy',
  's3://dummy/dummy',
  '0123456789abcdef',
];

/** Name of the stored parameter whose name is the value of parameters that are read from Parameter Store. */
export const STORED_PARAMETER = 'dummy';

/** Declaration of a parameter in a template. */
export interface DeclaredParameter {
  readonly Type?: string;
  readonly Default?: unknown;
  readonly AllowedValues?: readonly unknown[];
  readonly AllowedPattern?: string;
  readonly MinLength?: number | string;
  readonly MinValue?: number | string;
}

/** Returns the value of a parameter: its default, an allowed value, or a dummy for its type, name and pattern. */
export function dummyOf(name: string, declared: DeclaredParameter): string {
  const { Type = 'String', Default, AllowedValues, AllowedPattern, MinLength = 0, MinValue } = declared;
  if (Default !== undefined) return String(Default);
  if (AllowedValues?.length) return String(AllowedValues[0]);
  if (Type.startsWith('AWS::SSM::Parameter::')) return STORED_PARAMETER;
  if (MinValue !== undefined) return String(MinValue);
  const known = OF_TYPE[Type.replace(/^List<(.*)>$/, '$1').replace(/^AWS::(EC2|Route53)::/, '')];
  if (known !== undefined) return known;
  const named = OF_NAME.flatMap(([pattern, text]) => (pattern.test(name) ? [text] : []));
  const texts = [...named, ...TEXTS].map((text) => text.padEnd(Number(MinLength), text));
  const pattern = AllowedPattern === undefined ? undefined : new RegExp(`^(?:${AllowedPattern})$`);
  return texts.find((text) => pattern?.test(text) ?? true) ?? texts[0]!;
}
