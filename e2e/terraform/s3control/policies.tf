variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_s3_bucket" "worldwide" {
  bucket        = "terraform-worldwide"
  force_destroy = true
}

resource "aws_s3control_multi_region_access_point" "policy" {
  details {
    name = "terraform-policy"

    public_access_block {
      block_public_acls       = true
      block_public_policy     = true
      ignore_public_acls      = true
      restrict_public_buckets = true
    }

    region {
      bucket = aws_s3_bucket.worldwide.id
    }
  }
}

resource "aws_s3control_multi_region_access_point_policy" "policy" {
  details {
    name = element(split(":", aws_s3control_multi_region_access_point.policy.id), 1)

    policy = jsonencode({
      Version = "2012-10-17"
      Statement = [{
        Sid       = var.changed ? "second" : "first"
        Effect    = "Allow"
        Principal = { AWS = data.aws_caller_identity.me.account_id }
        Action    = ["s3:GetObject", "s3:PutObject"]
        Resource  = "arn:aws:s3::${data.aws_caller_identity.me.account_id}:accesspoint/${aws_s3control_multi_region_access_point.policy.alias}/object/*"
      }]
    })
  }
}

resource "aws_s3control_object_lambda_access_point_policy" "data" {
  name = aws_s3control_object_lambda_access_point.data.name

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = var.changed ? "s3-object-lambda:GetObject" : "s3-object-lambda:*"
      Principal = { AWS = data.aws_caller_identity.me.account_id }
      Resource  = aws_s3control_object_lambda_access_point.data.arn
    }]
  })
}

resource "aws_s3_access_point" "network" {
  bucket = aws_s3_bucket.worldwide.id
  name   = "terraform-network"

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = var.changed ? "s3:GetObject" : "s3:GetObjectTagging"
      Principal = { AWS = "*" }
      Resource  = "arn:aws:s3:eu-central-1:${data.aws_caller_identity.me.account_id}:accesspoint/terraform-network/object/*"
    }]
  })

  vpc_configuration {
    vpc_id = "vpc-0123456789abcdef0"
  }
}
