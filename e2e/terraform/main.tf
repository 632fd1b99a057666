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
    s3control      = var.endpoint
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
