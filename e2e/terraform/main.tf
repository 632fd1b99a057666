# One provider for all services: its start and its schema cost more than what it makes.

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
    dynamodb       = var.endpoint
    events         = var.endpoint
    iam            = var.endpoint
    kms            = var.endpoint
    lambda         = var.endpoint
    s3             = var.endpoint
    # Its requests go to hosts that begin with the account: the emulator is their proxy, so that no name has to resolve.
    s3control      = "http://s3-control.eu-central-1.amazonaws.com"
    secretsmanager = var.endpoint
    sns            = var.endpoint
    sqs            = var.endpoint
    sts            = var.endpoint
  }
}

module "dynamodb" {
  source = "./dynamodb"
}

module "events" {
  source  = "./events"
  package = var.package
}

module "iam" {
  source = "./iam"
}

module "lambda" {
  source  = "./lambda"
  package = var.package
}

module "s3" {
  source = "./s3"
}

module "s3control" {
  source = "./s3control"
}

module "secretsmanager" {
  source  = "./secretsmanager"
  package = var.package
}

module "sns" {
  source = "./sns"
}

module "sqs" {
  source = "./sqs"
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
