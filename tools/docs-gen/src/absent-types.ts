const HANDLERS = 'extensions with handlers cannot be registered (501)';
const IMAGES = 'it applies to images, which emu does not store';
const MAIL_MANAGER = 'Mail Manager has a separate API, which emu does not support';
const NO_OPERATION = 'the API version of emu lacks its operations';

/** Unsupported resource types of emu's services, each with the reason. */
export const ABSENT_TYPES: Readonly<Record<string, string>> = {
  'AWS::CloudFormation::GuardHook': 'Guard Hooks are not supported',
  'AWS::CloudFormation::HookDefaultVersion': HANDLERS,
  'AWS::CloudFormation::HookVersion': HANDLERS,
  'AWS::CloudFormation::ResourceDefaultVersion': HANDLERS,
  'AWS::CloudFormation::ResourceVersion': HANDLERS,
  'AWS::CloudWatch::LogAlarm': NO_OPERATION,
  'AWS::Cognito::UserPoolRegionalConfigurationAttachment': NO_OPERATION,
  'AWS::Cognito::UserPoolReplica': NO_OPERATION,
  'AWS::ECR::PublicRepository': 'Amazon ECR Public has a separate API, which emu does not support',
  'AWS::ECR::PullThroughCacheRule': IMAGES,
  'AWS::ECR::PullTimeUpdateExclusion': IMAGES,
  'AWS::ECR::RegistryPolicy': IMAGES,
  'AWS::ECR::RegistryScanningConfiguration': IMAGES,
  'AWS::ECR::ReplicationConfiguration': IMAGES,
  'AWS::ECR::RepositoryCreationTemplate': IMAGES,
  'AWS::ECR::SigningConfiguration': IMAGES,
  'AWS::Kinesis::Channel': NO_OPERATION,
  'AWS::Lambda::MicrovmImage': NO_OPERATION,
  'AWS::Lambda::NetworkConnector': NO_OPERATION,
  'AWS::Lambda::ResourcePolicy': NO_OPERATION,
  'AWS::Logs::StorageTierPolicy': NO_OPERATION,
  'AWS::S3Outposts::AccessPoint': 'CreateAccessPoint for buckets on Outposts answers 501',
  'AWS::S3Outposts::Endpoint': 'endpoints belong to the API s3outposts, which emu does not support',
  'AWS::SES::EmailIdentityCertificate': NO_OPERATION,
  'AWS::SES::MailManagerAddonInstance': MAIL_MANAGER,
  'AWS::SES::MailManagerAddonSubscription': MAIL_MANAGER,
  'AWS::SES::MailManagerAddressList': MAIL_MANAGER,
  'AWS::SES::MailManagerArchive': MAIL_MANAGER,
  'AWS::SES::MailManagerIngressPoint': MAIL_MANAGER,
  'AWS::SES::MailManagerRelay': MAIL_MANAGER,
  'AWS::SES::MailManagerRuleSet': MAIL_MANAGER,
  'AWS::SES::MailManagerTrafficPolicy': MAIL_MANAGER,
  'AWS::SSM::CloudConnector': NO_OPERATION,
  'AWS::SecretsManager::SecretTargetAttachment':
    'its targets are databases and clusters of Amazon RDS, Redshift and DocumentDB, which emu does not support',
};
