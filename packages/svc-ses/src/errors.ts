import type { SesErrorName } from '@emu/service-types/ses';
import type { Sesv2ErrorName } from '@emu/service-types/sesv2';
import { type AwsError, awsError } from '@emu/wire';

/** Which of the two APIs is asked: each has its own codes for the same refusal. */
export type Api = 'ses' | 'sesv2';

/** The API of a context. */
export const apiOf = ({ service }: { service: string }): Api => (service === 'sesv2' ? 'sesv2' : 'ses');

const v1 = (code: SesErrorName, message: string): AwsError => awsError(code, message);
const v2 = (code: Sesv2ErrorName, message: string): AwsError => awsError(code, message);

/** A parameter that will not do: `InvalidParameterValue`, in version 2 `BadRequestException`. */
export const invalid = (api: Api, message: string): AwsError =>
  api === 'ses' ? awsError('InvalidParameterValue', message, { status: 400 }) : v2('BadRequestException', message);

/** Something that version 2 does not find: `NotFoundException`. */
export const notFound = (message: string): AwsError => v2('NotFoundException', message);

/** Something that version 2 has already: `AlreadyExistsException`. */
export const exists = (message: string): AwsError => v2('AlreadyExistsException', message);

/** `BadRequestException`. */
export const badRequest = (message: string): AwsError => v2('BadRequestException', message);

/** A mail that is refused. */
export const rejected = (message: string): AwsError => awsError('MessageRejected', message);

/** What AWS acts on and emu cannot. @param what a noun phrase */
export const notActedOn = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what} of ses.`, { status: 501 });

/** A configuration set that is not there. */
export const noConfigurationSet = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetDoesNotExistException', `Configuration set <${name}> does not exist.`)
    : v2('NotFoundException', `Configuration set <${name}> does not exist.`);

/** A configuration set that is there already. */
export const configurationSetExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetAlreadyExistsException', `Configuration set <${name}> already exists.`)
    : v2('AlreadyExistsException', `Configuration set <${name}> already exists.`);

/** A template that is not there. */
export const noTemplate = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('TemplateDoesNotExistException', `Template ${name} does not exist`)
    : v2('NotFoundException', `Template ${name} does not exist`);

/** A template that is there already. */
export const templateExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('AlreadyExistsException', `Template ${name} already exists.`)
    : v2('AlreadyExistsException', `Template ${name} already exists.`);

/** A template that Handlebars cannot read. */
export const invalidTemplate = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidTemplateException', message) : v2('BadRequestException', message);

/** An attribute of a template that its data does not have. */
export const missingAttribute = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('MissingRenderingAttributeException', `Attribute '${name}' is not present in the rendering data.`)
    : v2('BadRequestException', `Attribute '${name}' is not present in the rendering data.`);

/** Data of a template that are not what it needs. */
export const invalidRendering = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidRenderingParameterException', message) : v2('BadRequestException', message);

/** An event destination that is not there. */
export const noDestination = (api: Api, set: string): AwsError =>
  api === 'ses'
    ? v1('EventDestinationDoesNotExistException', `No EventDestination found for ${set}`)
    : v2('NotFoundException', `No EventDestination found for ${set}`);

/** An event destination that is there already. */
export const destinationExists = (api: Api, name: string, set: string): AwsError =>
  api === 'ses'
    ? v1('EventDestinationAlreadyExistsException', `An event destination named <${name}> already exists in <${set}>.`)
    : v2('AlreadyExistsException', `An event destination named <${name}> already exists in <${set}>.`);

/** A topic, stream or bus that events cannot be sent to. */
export const badSnsDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidSNSDestinationException', message) : v2('BadRequestException', message);
/** As `badSnsDestination`, of Firehose. */
export const badFirehoseDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidFirehoseDestinationException', message) : v2('BadRequestException', message);
/** As `badSnsDestination`, of CloudWatch. */
export const badCloudWatchDestination = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidCloudWatchDestinationException', message) : v2('BadRequestException', message);

/** Sending is off for the account. */
export const accountPaused = (api: Api): AwsError =>
  api === 'ses'
    ? v1('AccountSendingPausedException', 'Email sending is disabled for this account.')
    : v2('SendingPausedException', 'Email sending is disabled for this account.');

/** Sending is off for a configuration set. */
export const configurationSetPaused = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1('ConfigurationSetSendingPausedException', `Email sending is disabled for configuration set <${name}>.`)
    : v2('SendingPausedException', `Email sending is disabled for configuration set <${name}>.`);

/** A MAIL FROM domain that has to be verified and is not. */
export const mailFromNotVerified = (domain: string): AwsError =>
  awsError('MailFromDomainNotVerifiedException', `Custom MAIL FROM domain ${domain} is not verified.`);

/** More mail than the account may send. */
export const throttled = (api: Api, message: string): AwsError =>
  api === 'ses' ? awsError('Throttling', message, { status: 400 }) : v2('TooManyRequestsException', message);

/** A receipt rule set that is not there. */
export const noRuleSet = (name: string): AwsError =>
  v1('RuleSetDoesNotExistException', `Rule set does not exist: ${name}`);
/** A receipt rule that is not there. */
export const noRule = (name: string): AwsError => v1('RuleDoesNotExistException', `Rule does not exist: ${name}`);
/** A part of mail receiving that is there already. @param kind e.g. `Rule set` */
export const receiptExists = (kind: 'Filter' | 'Rule' | 'Rule set', name: string): AwsError =>
  v1('AlreadyExistsException', `${kind} already exists: ${name}`);
/** The active rule set, which is to be deleted. */
export const cannotDelete = (name: string): AwsError =>
  v1('CannotDeleteException', `Cannot delete active rule set: ${name}`);
/** A topic of a receipt rule that cannot be used. */
export const badTopic = (topic: string): AwsError => v1('InvalidSnsTopicException', `Invalid SNS topic: ${topic}`);
/** A bucket of a receipt rule that cannot be used. */
export const badBucket = (bucket: string): AwsError =>
  v1('InvalidS3ConfigurationException', `Could not write to bucket: ${bucket}`);
/** A function of a receipt rule that cannot be used. */
export const badFunction = (arn: string): AwsError =>
  v1('InvalidLambdaFunctionException', `Invalid Lambda function: ${arn}`);

/** Tracking options that are there already. */
export const trackingExists = (set: string): AwsError =>
  v1('TrackingOptionsAlreadyExistsException', `Configuration set <${set}> already has tracking options.`);
/** Tracking options that are not there. */
export const noTracking = (set: string): AwsError =>
  v1('TrackingOptionsDoesNotExistException', `Configuration set <${set}> has no tracking options.`);
/** Tracking options that cannot be. */
export const invalidTracking = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidTrackingOptionsException', message) : v2('BadRequestException', message);
/** A policy that cannot be. */
export const invalidPolicy = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('InvalidPolicyException', message) : v2('BadRequestException', message);

/** A custom verification template that is not there. */
export const noVerificationTemplate = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1(
        'CustomVerificationEmailTemplateDoesNotExistException',
        `Custom verification email template <${name}> does not exist.`,
      )
    : v2('NotFoundException', `Custom verification email template <${name}> does not exist.`);
/** A custom verification template that is there already. */
export const verificationTemplateExists = (api: Api, name: string): AwsError =>
  api === 'ses'
    ? v1(
        'CustomVerificationEmailTemplateAlreadyExistsException',
        `Custom verification email template <${name}> already exists.`,
      )
    : v2('AlreadyExistsException', `Custom verification email template <${name}> already exists.`);
/** The sender of custom verification mails is not verified. */
export const fromNotVerified = (api: Api, address: string): AwsError =>
  api === 'ses'
    ? v1('FromEmailAddressNotVerifiedException', `From email address <${address}> is not verified.`)
    : v2('BadRequestException', `From email address <${address}> is not verified.`);
/** Custom verification mails need an account out of the sandbox. */
export const noProductionAccess = (api: Api): AwsError =>
  api === 'ses'
    ? v1('ProductionAccessNotGrantedException', 'The account has not been granted production access.')
    : v2('MessageRejected', 'The account has not been granted production access.');
/** The content of custom verification mails is too large. */
export const invalidVerificationContent = (api: Api, message: string): AwsError =>
  api === 'ses' ? v1('CustomVerificationEmailInvalidContentException', message) : v2('BadRequestException', message);

/** More than there may be. */
export const limitExceeded = (message: string): AwsError => awsError('LimitExceededException', message);

/** More resources of a kind than the account may have. */
export const tooManyResources = (api: Api): AwsError =>
  limitExceeded(
    api === 'ses'
      ? 'Indicates that a resource could not be created because of service limits.'
      : 'There are too many instances of the specified resource type.',
  );
