import { parseArn } from '@emu/core/service';
import type {
  CreateUserPoolRequest,
  LambdaConfigType,
  PasswordPolicyType,
  UpdateUserPoolRequest,
} from '@emu/service-types/cognito-idp';
import { invalidParameter, unavailableInTier } from '../errors.ts';
import type { PoolSettings } from '../records.ts';

/** Default password policy. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicyType = {
  MinimumLength: 8,
  RequireUppercase: true,
  RequireLowercase: true,
  RequireNumbers: true,
  RequireSymbols: true,
  TemporaryPasswordValidityDays: 7,
};

const DEFAULT_TEMPORARY_DAYS = 7;
const DEFAULT_SHORTEST = 6;
/** Placeholder of the code in messages. */
const CODE = '{####}';
const NAME = '{username}';

/** Members of LambdaConfig that name a function. */
const FUNCTIONS = [
  'PreSignUp',
  'CustomMessage',
  'PostConfirmation',
  'PreAuthentication',
  'PostAuthentication',
  'DefineAuthChallenge',
  'CreateAuthChallenge',
  'VerifyAuthChallengeResponse',
  'PreTokenGeneration',
  'UserMigration',
] as const;

/**
 * Returns the settings of a new pool, with AWS's defaults.
 * @throws AwsError for invalid settings
 */
export function newSettings(input: CreateUserPoolRequest): PoolSettings {
  checkSettings(input);
  if (input.AliasAttributes?.length && input.UsernameAttributes?.length)
    throw invalidParameter('Only one of the aliasAttributes or usernameAttributes can be set in a user pool.');
  return {
    ...commonSettings(input),
    ...(input.AliasAttributes?.length && { AliasAttributes: input.AliasAttributes }),
    ...(input.UsernameAttributes?.length && { UsernameAttributes: input.UsernameAttributes }),
    ...(input.UsernameConfiguration && { UsernameConfiguration: input.UsernameConfiguration }),
  };
}

/** Returns the settings after an update; missing members return to their defaults, as in AWS. */
export function changedSettings(input: UpdateUserPoolRequest, existing: PoolSettings): PoolSettings {
  checkSettings(input);
  const { AliasAttributes, UsernameAttributes, UsernameConfiguration } = existing;
  return {
    ...commonSettings(input),
    ...(AliasAttributes && { AliasAttributes }),
    ...(UsernameAttributes && { UsernameAttributes }),
    ...(UsernameConfiguration && { UsernameConfiguration }),
  };
}

function commonSettings(input: CreateUserPoolRequest | UpdateUserPoolRequest): PoolSettings {
  const { VerificationMessageTemplate: template = {} } = input;
  // The template replaces the former members; Terraform's provider sends both in updates.
  const sms = template.SmsMessage ?? input.SmsVerificationMessage;
  const email = template.EmailMessage ?? input.EmailVerificationMessage;
  const subject = template.EmailSubject ?? input.EmailVerificationSubject;
  const settings: PoolSettings = {
    Policies: {
      PasswordPolicy: passwordPolicy(input.Policies?.PasswordPolicy),
      SignInPolicy: input.Policies?.SignInPolicy ?? { AllowedFirstAuthFactors: ['PASSWORD'] },
    },
    DeletionProtection: input.DeletionProtection ?? 'INACTIVE',
    LambdaConfig: lambdaConfig(input.LambdaConfig),
    VerificationMessageTemplate: {
      ...(sms !== undefined && { SmsMessage: sms }),
      ...(email !== undefined && { EmailMessage: email }),
      ...(subject !== undefined && { EmailSubject: subject }),
      ...(template.EmailMessageByLink !== undefined && { EmailMessageByLink: template.EmailMessageByLink }),
      ...(template.EmailSubjectByLink !== undefined && { EmailSubjectByLink: template.EmailSubjectByLink }),
      DefaultEmailOption: template.DefaultEmailOption ?? 'CONFIRM_WITH_CODE',
    },
    EmailConfiguration: {
      ...input.EmailConfiguration,
      EmailSendingAccount: input.EmailConfiguration?.EmailSendingAccount ?? 'COGNITO_DEFAULT',
    },
    AdminCreateUserConfig: {
      ...input.AdminCreateUserConfig,
      AllowAdminCreateUserOnly: input.AdminCreateUserConfig?.AllowAdminCreateUserOnly ?? false,
      UnusedAccountValidityDays:
        input.AdminCreateUserConfig?.UnusedAccountValidityDays ||
        (input.Policies?.PasswordPolicy?.TemporaryPasswordValidityDays ?? DEFAULT_TEMPORARY_DAYS),
    },
    AccountRecoverySetting: input.AccountRecoverySetting ?? {
      RecoveryMechanisms: [
        { Priority: 1, Name: 'verified_email' },
        { Priority: 2, Name: 'verified_phone_number' },
      ],
    },
    UserPoolTier: input.UserPoolTier ?? 'ESSENTIALS',
  };
  if (sms !== undefined) settings.SmsVerificationMessage = sms;
  if (email !== undefined) settings.EmailVerificationMessage = email;
  if (subject !== undefined) settings.EmailVerificationSubject = subject;
  const { AutoVerifiedAttributes, SmsAuthenticationMessage, UserAttributeUpdateSettings } = input;
  if (AutoVerifiedAttributes?.length) settings.AutoVerifiedAttributes = AutoVerifiedAttributes;
  if (SmsAuthenticationMessage !== undefined) settings.SmsAuthenticationMessage = SmsAuthenticationMessage;
  if (UserAttributeUpdateSettings) settings.UserAttributeUpdateSettings = UserAttributeUpdateSettings;
  if (input.DeviceConfiguration) settings.DeviceConfiguration = input.DeviceConfiguration;
  if (input.SmsConfiguration) settings.SmsConfiguration = input.SmsConfiguration;
  if (input.UserPoolAddOns) settings.UserPoolAddOns = input.UserPoolAddOns;
  return settings;
}

/** Returns a password policy; a given policy has no defaults for its requirements. */
function passwordPolicy(given: PasswordPolicyType | undefined): PasswordPolicyType {
  if (!given) return { ...DEFAULT_PASSWORD_POLICY };
  const {
    MinimumLength = DEFAULT_SHORTEST,
    RequireUppercase = false,
    RequireLowercase = false,
    RequireNumbers = false,
    RequireSymbols = false,
    TemporaryPasswordValidityDays = DEFAULT_TEMPORARY_DAYS,
    PasswordHistorySize,
  } = given;
  return {
    MinimumLength,
    RequireUppercase,
    RequireLowercase,
    RequireNumbers,
    RequireSymbols,
    ...(PasswordHistorySize !== undefined && { PasswordHistorySize }),
    TemporaryPasswordValidityDays,
  };
}

/** Returns the Lambda configuration; the old and the new member for pre token generation are one setting. */
function lambdaConfig(given: LambdaConfigType = {}): LambdaConfigType {
  const { PreTokenGeneration: plain, PreTokenGenerationConfig: config, ...rest } = given;
  if (plain !== undefined && config && plain !== config.LambdaArn)
    throw invalidParameter('PreTokenGeneration and PreTokenGenerationConfig name different functions.');
  const function_ = config ?? (plain === undefined ? undefined : { LambdaVersion: 'V1_0' as const, LambdaArn: plain });
  return {
    ...rest,
    ...(function_ && { PreTokenGeneration: function_.LambdaArn, PreTokenGenerationConfig: function_ }),
  };
}

/**
 * Validates settings.
 * @throws AwsError for invalid or unsupported settings
 */
function checkSettings(input: CreateUserPoolRequest | UpdateUserPoolRequest): void {
  checkFunctions(input.LambdaConfig ?? {});
  for (const message of [
    input.SmsVerificationMessage,
    input.VerificationMessageTemplate?.SmsMessage,
    input.SmsAuthenticationMessage,
  ])
    if (message !== undefined && !message.includes(CODE))
      throw invalidParameter('SMS Message template body should contain {####}');
  const { EmailMessage } = input.VerificationMessageTemplate ?? {};
  for (const message of [input.EmailVerificationMessage, EmailMessage])
    if (message !== undefined && !message.includes(CODE))
      throw invalidParameter('Email Message template body should contain {####}');
  const invite = input.AdminCreateUserConfig?.InviteMessageTemplate ?? {};
  for (const message of [invite.SMSMessage, invite.EmailMessage])
    if (message !== undefined && !(message.includes(CODE) && message.includes(NAME)))
      throw invalidParameter('The invitation message must contain {username} and {####}.');
  const { EmailConfiguration: email } = input;
  if (email?.EmailSendingAccount === 'DEVELOPER' && email.SourceArn === undefined)
    throw invalidParameter('Source ARN is a mandatory parameter when EmailSendingAccount is DEVELOPER');
  const { UserPoolTier: tier = 'ESSENTIALS', UserPoolAddOns: addOns } = input;
  if (tier !== 'PLUS' && input.UserPoolTier !== undefined && addOns && addOns.AdvancedSecurityMode !== 'OFF')
    throw unavailableInTier('Threat protection is available in the PLUS feature plan only.');
  if (tier === 'LITE' && input.Policies?.PasswordPolicy?.PasswordHistorySize)
    throw unavailableInTier('Password history is not available in the LITE feature plan.');
  const { LambdaVersion = 'V1_0' } = input.LambdaConfig?.PreTokenGenerationConfig ?? {};
  if (tier === 'LITE' && LambdaVersion !== 'V1_0')
    throw unavailableInTier('Access token customization is not available in the LITE feature plan.');
  checkFactors(input, tier);
  const pending = input.UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate ?? [];
  for (const attribute of pending)
    if (!input.AutoVerifiedAttributes?.includes(attribute))
      throw invalidParameter(
        `The attribute ${attribute} requires verification before update and must be auto verified.`,
      );
  const names = input.AccountRecoverySetting?.RecoveryMechanisms?.map(({ Name }) => Name) ?? [];
  if (names.includes('admin_only') && names.length > 1)
    throw invalidParameter(
      'Invalid account recovery setting parameter. Account Recovery Setting cannot use admin_only with any other recovery mechanisms.',
    );
}

function checkFactors(input: CreateUserPoolRequest | UpdateUserPoolRequest, tier: string): void {
  const factors = input.Policies?.SignInPolicy?.AllowedFirstAuthFactors;
  if (!factors) return;
  if (!factors.includes('PASSWORD')) throw invalidParameter('AllowedFirstAuthFactors must include PASSWORD.');
  if (tier === 'LITE' && factors.length > 1)
    throw unavailableInTier('Choice-based sign-in is not available in the LITE feature plan.');
}

function checkFunctions(config: LambdaConfigType): void {
  const { PreTokenGenerationConfig, CustomSMSSender, CustomEmailSender, InboundFederation } = config;
  if ((CustomSMSSender || CustomEmailSender) && config.KMSKeyID === undefined)
    throw invalidParameter('KMSKeyID is required where CustomSMSSender or CustomEmailSender is set.');
  if (config.KMSKeyID !== undefined && parseArn(config.KMSKeyID)?.service !== 'kms')
    throw invalidParameter(`Invalid KMS key ARN ${config.KMSKeyID}.`);
  const versioned = [PreTokenGenerationConfig, CustomSMSSender, CustomEmailSender, InboundFederation];
  for (const arn of [...FUNCTIONS.map((name) => config[name]), ...versioned.map((one) => one?.LambdaArn)])
    if (arn !== undefined && parseArn(arn)?.service !== 'lambda')
      throw invalidParameter(`Invalid lambda function ARN ${arn}.`);
}
