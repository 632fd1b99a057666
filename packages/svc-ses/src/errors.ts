import type { SesErrorName } from '@emu/service-types/ses';
import type { Sesv2ErrorName } from '@emu/service-types/sesv2';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const sesError: ErrorsOf<SesErrorName | Sesv2ErrorName | 'InvalidParameterValue' | 'Throttling'> = awsError;

/** API version of a request: each has its own error codes. */
export type Api = 'ses' | 'sesv2';

/** Returns the API of a context. */
export const apiOf = ({ service }: { service: string }): Api => (service === 'sesv2' ? 'sesv2' : 'ses');

const v1 = (code: SesErrorName, message: string): AwsError => sesError(code, message);
const v2 = (code: Sesv2ErrorName, message: string): AwsError => sesError(code, message);

/** Error for an invalid parameter: `InvalidParameterValue`, in version 2 `BadRequestException`. */
export const invalid = (api: Api, message: string): AwsError =>
  api === 'ses' ? sesError('InvalidParameterValue', message, { status: 400 }) : v2('BadRequestException', message);

/** Error of version 2 for an unknown resource: `NotFoundException`. */
export const notFound = (message: string): AwsError => v2('NotFoundException', message);

/** Error of version 2 for an existing resource: `AlreadyExistsException`. */
export const alreadyExists = (message: string): AwsError => v2('AlreadyExistsException', message);

/** `BadRequestException`. */
export const badRequest = (message: string): AwsError => v2('BadRequestException', message);

/** Error for a rejected mail. */
export const rejected = (message: string): AwsError => sesError('MessageRejected', message);

/** Error for an unknown configuration set. */
export const noConfigurationSet = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetDoesNotExistException', `Configuration set <${name}> does not exist.`)
    : v2('NotFoundException', `Configuration set <${name}> does not exist.`);

/** Error for an existing configuration set. */
export const configurationSetExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetAlreadyExistsException', `Configuration set <${name}> already exists.`)
    : v2('AlreadyExistsException', `Configuration set <${name}> already exists.`);

/** Error for an unknown template. */
export const noTemplate = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('TemplateDoesNotExistException', `Template ${name} does not exist`)
    : v2('NotFoundException', `Template ${name} does not exist`);

/** Error for an existing template. */
export const templateExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('AlreadyExistsException', `Template ${name} already exists.`)
    : v2('AlreadyExistsException', `Template ${name} already exists.`);

/** Error for a template with invalid Handlebars syntax. */
export const invalidTemplate = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidTemplateException', message) : v2('BadRequestException', message);

/** Error for a template attribute missing in the data. */
export const missingAttribute = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('MissingRenderingAttributeException', `Attribute '${name}' is not present in the rendering data.`)
    : v2('BadRequestException', `Attribute '${name}' is not present in the rendering data.`);

/** Error for invalid template data. */
export const invalidRendering = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidRenderingParameterException', message) : v2('BadRequestException', message);

/** Error for an unknown event destination. */
export const noDestination = (api: Api, set: string): AwsError =>
  api === 'ses'
    ? v1('EventDestinationDoesNotExistException', `No EventDestination found for ${set}`)
    : v2('NotFoundException', `No EventDestination found for ${set}`);

/** Error for an existing event destination. */
export const destinationExists = (api: Api, name: string, set: string): AwsError =>
  api === 'ses'
    ? v1('EventDestinationAlreadyExistsException', `An event destination named <${name}> already exists in <${set}>.`)
    : v2('AlreadyExistsException', `An event destination named <${name}> already exists in <${set}>.`);

/** Error for an unusable topic, stream or bus of an event destination. */
export const badSnsDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidSNSDestinationException', message) : v2('BadRequestException', message);
/** Same as `badSnsDestination`, for Firehose. */
export const badFirehoseDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidFirehoseDestinationException', message) : v2('BadRequestException', message);
/** Same as `badSnsDestination`, for CloudWatch. */
export const badCloudWatchDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidCloudWatchDestinationException', message) : v2('BadRequestException', message);

/** Error for disabled sending of the account. */
export const accountPaused = (api: Api): AwsError =>
  api === 'ses'
    ? v1('AccountSendingPausedException', 'Email sending is disabled for this account.')
    : v2('SendingPausedException', 'Email sending is disabled for this account.');

/** Error for disabled sending of a configuration set. */
export const configurationSetPaused = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetSendingPausedException', `Email sending is disabled for configuration set <${name}>.`)
    : v2('SendingPausedException', `Email sending is disabled for configuration set <${name}>.`);

/** Error for a required MAIL FROM domain that is not verified. */
export const mailFromNotVerified = (domain: string): AwsError =>
  sesError('MailFromDomainNotVerifiedException', `Custom MAIL FROM domain ${domain} is not verified.`);

/** Error for exceeded sending limits. */
export const throttled = (api: Api, message: string): AwsError =>
  api === 'ses' ? sesError('Throttling', message, { status: 400 }) : v2('TooManyRequestsException', message);

/** Error for an unknown receipt rule set. */
export const noRuleSet = (name: string): AwsError =>
  v1('RuleSetDoesNotExistException', `Rule set does not exist: ${name}`);
/** Error for an unknown receipt rule. */
export const noRule = (name: string): AwsError => v1('RuleDoesNotExistException', `Rule does not exist: ${name}`);
/**
 * Error for an existing filter, rule or rule set.
 * @param kind for example `Rule set`
 */
export const receiptExists = (kind: 'Filter' | 'Rule' | 'Rule set', name: string): AwsError =>
  v1('AlreadyExistsException', `${kind} already exists: ${name}`);
/** Error for deleting the active rule set. */
export const cannotDelete = (name: string): AwsError =>
  v1('CannotDeleteException', `Cannot delete active rule set: ${name}`);
/** Error for a text that is not a topic's ARN in a receipt rule. */
export const invalidTopic = (topic: string): AwsError => v1('InvalidSnsTopicException', `Invalid SNS topic: ${topic}`);
/** Error for an unusable topic of a receipt rule. */
export const unusableTopic = (topic: string): AwsError =>
  v1('InvalidSnsTopicException', `Could not publish to SNS topic: ${topic}`);
/** Error for an unknown bucket of a receipt rule. */
export const noBucket = (bucket: string): AwsError =>
  v1('InvalidS3ConfigurationException', `No such bucket: ${bucket}`);
/** Error for an unusable bucket of a receipt rule. */
export const unusableBucket = (bucket: string): AwsError =>
  v1('InvalidS3ConfigurationException', `Could not write to bucket: ${bucket}`);
/** Error for a role of a receipt rule that SES cannot assume. */
export const badRole = (roleArn: string): AwsError =>
  v1('InvalidS3ConfigurationException', `Could not assume role: ${roleArn}`);
/** Error for a text that is not a function's ARN in a receipt rule. */
export const invalidFunction = (arn: string): AwsError =>
  v1('InvalidLambdaFunctionException', `Invalid Lambda function: ${arn}`);
/** Error for an unusable function of a receipt rule. */
export const unusableFunction = (arn: string): AwsError =>
  v1('InvalidLambdaFunctionException', `Could not invoke Lambda function: ${arn}`);

/** Error for existing tracking options. */
export const trackingExists = (set: string): AwsError =>
  v1('TrackingOptionsAlreadyExistsException', `Configuration set <${set}> already has tracking options.`);
/** Error for missing tracking options. */
export const noTracking = (set: string): AwsError =>
  v1('TrackingOptionsDoesNotExistException', `Configuration set <${set}> has no tracking options.`);
/** Error for invalid tracking options. */
export const invalidTracking = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidTrackingOptionsException', message) : v2('BadRequestException', message);
/** Error for an invalid policy. */
export const invalidPolicy = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidPolicyException', message) : v2('BadRequestException', message);

/** Error for an unknown custom verification template. */
export const noVerificationTemplate = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1(
        'CustomVerificationEmailTemplateDoesNotExistException',
        `Custom verification email template <${name}> does not exist.`,
      )
    : v2('NotFoundException', `Custom verification email template <${name}> does not exist.`);
/** Error for an existing custom verification template. */
export const verificationTemplateExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1(
        'CustomVerificationEmailTemplateAlreadyExistsException',
        `Custom verification email template <${name}> already exists.`,
      )
    : v2('AlreadyExistsException', `Custom verification email template <${name}> already exists.`);
/** Error for an unverified sender of custom verification mails. */
export const fromNotVerified = (api: Api, address: string): AwsError =>
  api === 'ses'
    ? v1('FromEmailAddressNotVerifiedException', `From email address <${address}> is not verified.`)
    : v2('BadRequestException', `From email address <${address}> is not verified.`);
/** Error for custom verification mails of an account in the sandbox. */
export const noProductionAccess = (api: Api): AwsError =>
  api === 'ses'
    ? v1('ProductionAccessNotGrantedException', 'The account has not been granted production access.')
    : v2('MessageRejected', 'The account has not been granted production access.');
/** Error for custom verification content that is too large. */
export const invalidVerificationContent = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('CustomVerificationEmailInvalidContentException', message) : v2('BadRequestException', message);

/** Error for an exceeded limit. */
export const limitExceeded = (message: string): AwsError => sesError('LimitExceededException', message);

/** Error for an exceeded number of resources of a kind. */
export const tooManyResources = (api: Api): AwsError =>
  limitExceeded(
    api === 'ses'
      ? 'Indicates that a resource could not be created because of service limits.'
      : 'There are too many instances of the specified resource type.',
  );
