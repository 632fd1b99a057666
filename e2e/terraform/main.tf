# One provider for all services, because its start and its schema cost more than the resources.

variable "endpoint" {
  type = string
}

variable "package" {
  description = "path of a function's package"
  type        = string
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

module "apigateway" {
  source  = "./apigateway"
  package = var.package
}

module "apigatewayv2" {
  source  = "./apigatewayv2"
  package = var.package
}

module "cloudformation" {
  source = "./cloudformation"
}

module "cloudwatch" {
  source = "./cloudwatch"
}

module "cognito" {
  source  = "./cognito"
  package = var.package
}

module "dynamodb" {
  source = "./dynamodb"
}

module "events" {
  source  = "./events"
  package = var.package
}

module "firehose" {
  source = "./firehose"
}

module "iam" {
  source = "./iam"
}

module "kinesis" {
  source = "./kinesis"
}

module "lambda" {
  source  = "./lambda"
  package = var.package
}

module "logs" {
  source  = "./logs"
  package = var.package
}

module "s3" {
  source = "./s3"
}

module "s3control" {
  source = "./s3control"
}

module "scheduler" {
  source = "./scheduler"
}

module "secretsmanager" {
  source  = "./secretsmanager"
  package = var.package
}

module "servicequotas" {
  source = "./servicequotas"
}

module "ses" {
  source = "./ses"
}

module "sns" {
  source = "./sns"
}

module "sqs" {
  source = "./sqs"
}

module "ssm" {
  source = "./ssm"
}

module "stepfunctions" {
  source = "./stepfunctions"
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
