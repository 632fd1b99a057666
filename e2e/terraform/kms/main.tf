terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.other]
    }
  }
}

variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

data "aws_caller_identity" "current" {}

locals {
  policy = {
    Version = "2012-10-17"
    Statement = [{
      Sid       = "root"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root" }
      Action    = "kms:*"
      Resource  = "*"
    }]
  }
}

resource "aws_kms_key" "data" {
  description             = var.changed ? "Data of the shop" : "Data"
  deletion_window_in_days = 7
  enable_key_rotation     = true
  rotation_period_in_days = var.changed ? 180 : 90
  is_enabled              = true
  policy                  = jsonencode(local.policy)

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_kms_key" "switched" {
  deletion_window_in_days = 10
  is_enabled              = !var.changed
}

resource "aws_kms_key" "signing" {
  description              = "Signing"
  customer_master_key_spec = "ECC_NIST_P256"
  key_usage                = "SIGN_VERIFY"
  deletion_window_in_days  = 7
}

resource "aws_kms_key" "hmac" {
  description              = "HMAC"
  customer_master_key_spec = "HMAC_256"
  key_usage                = "GENERATE_VERIFY_MAC"
  deletion_window_in_days  = 7
}

resource "aws_kms_key_policy" "signing" {
  key_id = aws_kms_key.signing.id
  policy = jsonencode(merge(local.policy, { Id = var.changed ? "second" : "first" }))
}

resource "aws_kms_alias" "data" {
  name          = "alias/shop-data"
  target_key_id = var.changed ? aws_kms_key.multi.key_id : aws_kms_key.data.key_id
}

resource "aws_kms_alias" "prefixed" {
  name_prefix   = "alias/shop-"
  target_key_id = aws_kms_key.data.key_id
}

resource "aws_iam_role" "reader" {
  name = "kms-reader"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_kms_grant" "reader" {
  name               = "reader"
  key_id             = aws_kms_key.data.key_id
  grantee_principal  = aws_iam_role.reader.arn
  retiring_principal = aws_iam_role.reader.arn
  operations         = ["Encrypt", "Decrypt", "GenerateDataKey"]

  constraints {
    encryption_context_equals = {
      Department = "Finance"
    }
  }
}

resource "aws_kms_ciphertext" "password" {
  key_id    = aws_kms_key.data.key_id
  plaintext = "{\"user\":\"shop\"}"

  context = {
    Department = "Finance"
  }
}

resource "aws_kms_external_key" "own" {
  description             = var.changed ? "Own material" : "Own"
  deletion_window_in_days = 7
  key_material_base64     = "Wblj06fduthWggmsT0cLVoIMOkeLbc2kVfMud77i/JY="
  enabled                 = true
  multi_region            = true

  tags = {
    Team = "shop"
  }
}

resource "aws_kms_external_key" "pending" {
  description             = "Without material"
  deletion_window_in_days = 7
}

resource "aws_kms_key" "multi" {
  description             = "Multi-Region"
  multi_region            = true
  deletion_window_in_days = 7
}

resource "aws_kms_replica_key" "multi" {
  provider                = aws.other
  description             = var.changed ? "Second replica" : "Replica"
  deletion_window_in_days = 7
  primary_key_arn         = aws_kms_key.multi.arn
}

resource "aws_kms_replica_external_key" "own" {
  provider                = aws.other
  description             = "Replica"
  deletion_window_in_days = 7
  primary_key_arn         = aws_kms_external_key.own.arn
  key_material_base64     = "Wblj06fduthWggmsT0cLVoIMOkeLbc2kVfMud77i/JY="
}

resource "aws_kms_custom_key_store" "vault" {
  custom_key_store_name  = var.changed ? "vault-renamed" : "vault"
  custom_key_store_type  = "EXTERNAL_KEY_STORE"
  xks_proxy_connectivity = "PUBLIC_ENDPOINT"
  xks_proxy_uri_endpoint = "https://localhost"
  xks_proxy_uri_path     = "/kms/xks/v1"

  xks_proxy_authentication_credential {
    access_key_id         = "ABCDEFGHIJKLMNOPQRST"
    raw_secret_access_key = "DXjSUawnel2fr6SKC7G25CNxTyWKE5PF9XX6H/u9pSo="
  }
}
