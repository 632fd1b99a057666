terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}

# Requests go to hosts that begin with the account; the emulator is their proxy, so that no name has to be resolved.
provider "aws" {
  region                      = "us-east-1"
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_metadata_api_check     = true

  endpoints {
    s3        = "http://s3.us-east-1.amazonaws.com"
    s3control = "http://s3-control.us-east-1.amazonaws.com"
    sts       = "http://sts.us-east-1.amazonaws.com"
  }
}

data "aws_caller_identity" "me" {}

resource "aws_s3_bucket" "data" {
  bucket = "terraform-points"
  tags   = { Team = "orders" }
}

resource "aws_s3_account_public_access_block" "me" {
  block_public_policy = true
}

resource "aws_s3_access_point" "data" {
  bucket = aws_s3_bucket.data.id
  name   = "terraform-point"

  public_access_block_configuration {
    block_public_acls       = true
    block_public_policy     = false
    ignore_public_acls      = true
    restrict_public_buckets = false
  }

  lifecycle {
    ignore_changes = [policy]
  }
}

resource "aws_s3control_access_point_policy" "data" {
  access_point_arn = aws_s3_access_point.data.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "s3:GetObject"
      Principal = { AWS = data.aws_caller_identity.me.account_id }
      Resource  = "${aws_s3_access_point.data.arn}/object/*"
    }]
  })
}

resource "aws_s3control_object_lambda_access_point" "data" {
  name = "terraform-transformed"

  configuration {
    supporting_access_point = aws_s3_access_point.data.arn
    transformation_configuration {
      actions = ["GetObject"]
      content_transformation {
        aws_lambda {
          function_arn = "arn:aws:lambda:us-east-1:${data.aws_caller_identity.me.account_id}:function:transform"
        }
      }
    }
  }
}

resource "aws_s3control_multi_region_access_point" "data" {
  details {
    name = "terraform-worldwide"
    region {
      bucket = aws_s3_bucket.data.id
    }
  }
}

resource "aws_s3control_storage_lens_configuration" "usage" {
  config_id = "terraform-lens"

  storage_lens_configuration {
    enabled = true

    account_level {
      activity_metrics {
        enabled = true
      }
      bucket_level {
        activity_metrics {
          enabled = true
        }
      }
    }

    data_export {
      cloud_watch_metrics {
        enabled = true
      }
      s3_bucket_destination {
        account_id            = data.aws_caller_identity.me.account_id
        arn                   = aws_s3_bucket.data.arn
        format                = "CSV"
        output_schema_version = "V_1"
        encryption {
          sse_s3 {}
        }
      }
    }

    exclude {
      regions = ["us-east-2"]
    }
  }

  tags = { Team = "orders" }
}

resource "aws_s3control_access_grants_instance" "me" {
  tags = { Team = "orders" }
}

resource "aws_s3control_access_grants_location" "data" {
  depends_on = [aws_s3control_access_grants_instance.me]

  iam_role_arn   = "arn:aws:iam::${data.aws_caller_identity.me.account_id}:role/location"
  location_scope = "s3://${aws_s3_bucket.data.id}/data*"
  tags           = { Team = "orders" }
}

resource "aws_s3control_access_grant" "data" {
  access_grants_location_id = aws_s3control_access_grants_location.data.access_grants_location_id
  permission                = "READ"

  access_grants_location_configuration {
    s3_sub_prefix = "/in*"
  }

  grantee {
    grantee_type       = "IAM"
    grantee_identifier = "arn:aws:iam::${data.aws_caller_identity.me.account_id}:user/jane"
  }

  tags = { Team = "orders" }
}

resource "aws_s3control_access_grants_instance_resource_policy" "me" {
  depends_on = [aws_s3control_access_grants_instance.me]

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = ["s3:ListAccessGrants", "s3:GetDataAccess"]
      Principal = { AWS = "210987654321" }
      Resource  = aws_s3control_access_grants_instance.me.access_grants_instance_arn
    }]
  })
}

output "grant_scope" {
  value = aws_s3control_access_grant.data.grant_scope
}

output "mrap_alias" {
  value = aws_s3control_multi_region_access_point.data.alias
}
