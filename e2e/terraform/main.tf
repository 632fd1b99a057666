# One provider for all services, because its start and its schema cost more than the resources.

variable "endpoint" {
  type = string
}

variable "package" {
  description = "path of a function's package"
  type        = string
}

variable "certificate" {
  description = "self-signed certificate in PEM"
  type        = string
}

variable "private_key" {
  description = "private key of the certificate in PEM"
  type        = string
}

variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
  default     = false
}

provider "aws" {
  region                  = "eu-central-1"
  access_key              = "test"
  secret_key              = "test"
  skip_metadata_api_check = true

  endpoints {
    apigateway               = var.endpoint
    apigatewayv2             = var.endpoint
    cloudcontrol             = var.endpoint
    cloudformation           = var.endpoint
    cloudwatch               = var.endpoint
    cognitoidentity          = var.endpoint
    cognitoidp               = var.endpoint
    dynamodb                 = var.endpoint
    ecr                      = var.endpoint
    events                   = var.endpoint
    firehose                 = var.endpoint
    iam                      = var.endpoint
    kinesis                  = var.endpoint
    kms                      = var.endpoint
    lambda                   = var.endpoint
    logs                     = var.endpoint
    pipes                    = var.endpoint
    resourcegroups           = var.endpoint
    resourcegroupstaggingapi = var.endpoint
    s3                       = var.endpoint
    # Its requests use host names that begin with the account. The emulator is their proxy, so that no name has to resolve.
    s3control      = "http://s3-control.eu-central-1.amazonaws.com"
    scheduler      = var.endpoint
    secretsmanager = var.endpoint
    servicequotas  = var.endpoint
    sfn            = var.endpoint
    ses            = var.endpoint
    sesv2          = var.endpoint
    sns            = var.endpoint
    sqs            = var.endpoint
    ssm            = var.endpoint
    sts            = var.endpoint
  }
}

# For replicas of keys and tables.
provider "aws" {
  alias                   = "other"
  region                  = "us-east-1"
  access_key              = "test"
  secret_key              = "test"
  skip_metadata_api_check = true

  endpoints {
    dynamodb = var.endpoint
    kms      = var.endpoint
    sts      = var.endpoint
  }
}

module "apigateway" {
  source  = "./apigateway"
  package = var.package
  changed = var.changed
}

module "apigatewayv2" {
  source  = "./apigatewayv2"
  package = var.package
  changed = var.changed
}

module "cloudformation" {
  source  = "./cloudformation"
  changed = var.changed
}

module "cloudwatch" {
  source  = "./cloudwatch"
  changed = var.changed
}

module "cognito" {
  source  = "./cognito"
  package = var.package
  changed = var.changed
}

module "dynamodb" {
  source  = "./dynamodb"
  changed = var.changed

  providers = {
    aws       = aws
    aws.other = aws.other
  }
}

module "ecr" {
  source  = "./ecr"
  changed = var.changed
}

module "events" {
  source  = "./events"
  package = var.package
  changed = var.changed
}

module "firehose" {
  source  = "./firehose"
  package = var.package
  changed = var.changed
}

module "iam" {
  source      = "./iam"
  certificate = var.certificate
  private_key = var.private_key
  changed     = var.changed
}

module "kinesis" {
  source  = "./kinesis"
  changed = var.changed
}

module "kms" {
  source  = "./kms"
  changed = var.changed

  providers = {
    aws       = aws
    aws.other = aws.other
  }
}

module "lambda" {
  source  = "./lambda"
  package = var.package
  changed = var.changed
}

module "logs" {
  source  = "./logs"
  package = var.package
  changed = var.changed
}

module "s3" {
  source  = "./s3"
  changed = var.changed
}

module "s3control" {
  source  = "./s3control"
  changed = var.changed
}

module "scheduler" {
  source  = "./scheduler"
  changed = var.changed
}

module "secretsmanager" {
  source  = "./secretsmanager"
  package = var.package
  changed = var.changed
}

module "servicequotas" {
  source = "./servicequotas"
}

module "ses" {
  source  = "./ses"
  changed = var.changed
}

module "sns" {
  source  = "./sns"
  changed = var.changed
}

module "sqs" {
  source  = "./sqs"
  changed = var.changed
}

module "ssm" {
  source  = "./ssm"
  changed = var.changed
}

module "stepfunctions" {
  source  = "./stepfunctions"
  changed = var.changed
}

output "stack_queue" {
  value = module.cloudformation.queue
}

output "tagged" {
  value = module.cloudformation.tagged
}

output "cognito_identity_pool" {
  value = module.cognito.identity_pool
}

output "cognito_client" {
  value = module.cognito.client
}

output "image" {
  value = module.ssm.image
}

output "password" {
  value     = module.secretsmanager.password
  sensitive = true
}

output "grant_scope" {
  value = module.s3control.grant_scope
}

output "mrap_alias" {
  value = module.s3control.mrap_alias
}

output "shell" {
  value = module.ssm.shell
}
