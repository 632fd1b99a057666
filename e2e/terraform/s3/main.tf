resource "aws_s3_bucket" "data" {
  bucket = "terraform-data"
  tags   = { Team = "orders" }
}

resource "aws_s3_bucket_versioning" "data" {
  bucket = aws_s3_bucket.data.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "data" {
  bucket = aws_s3_bucket.data.id
  rule {
    bucket_key_enabled = true
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "data" {
  bucket = aws_s3_bucket_versioning.data.id
  rule {
    id     = "old"
    status = "Enabled"
    filter {
      prefix = "tmp/"
    }
    expiration {
      days = 30
    }
    noncurrent_version_expiration {
      noncurrent_days = 7
    }
  }
}

resource "aws_s3_bucket_intelligent_tiering_configuration" "data" {
  bucket = aws_s3_bucket.data.id
  name   = "archive"

  filter {
    prefix = "old/"
    tags   = { Kind = "report" }
  }
  tiering {
    access_tier = "ARCHIVE_ACCESS"
    days        = 90
  }
  tiering {
    access_tier = "DEEP_ARCHIVE_ACCESS"
    days        = 180
  }
}

resource "aws_s3_bucket_public_access_block" "data" {
  bucket                  = aws_s3_bucket.data.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

data "aws_iam_policy_document" "data" {
  statement {
    sid       = "read"
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.data.arn}/*"]
    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::123456789012:root"]
    }
  }
}

resource "aws_s3_bucket_policy" "data" {
  bucket = aws_s3_bucket.data.id
  policy = data.aws_iam_policy_document.data.json
}

resource "aws_s3_bucket_cors_configuration" "data" {
  bucket = aws_s3_bucket.data.id
  cors_rule {
    allowed_methods = ["GET"]
    allowed_origins = ["https://example.com"]
  }
}

resource "aws_sqs_queue" "events" {
  name   = "bucket-events"
  policy = <<-POLICY
    {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"s3.amazonaws.com"},"Action":"sqs:SendMessage","Resource":"arn:aws:sqs:eu-central-1:123456789012:bucket-events"}]}
  POLICY
}

resource "aws_s3_bucket_notification" "data" {
  bucket = aws_s3_bucket.data.id
  queue {
    queue_arn     = aws_sqs_queue.events.arn
    events        = ["s3:ObjectCreated:*"]
    filter_prefix = "in/"
  }
}

resource "aws_s3_object" "hello" {
  bucket       = aws_s3_bucket_versioning.data.id
  key          = "in/hello.txt"
  content      = "hello from Terraform"
  content_type = "text/plain"
  tags         = { Kind = "greeting" }
  depends_on   = [aws_s3_bucket_notification.data]
}

resource "aws_s3_bucket" "site" {
  bucket        = "terraform-site"
  force_destroy = true
}

resource "aws_s3_bucket_website_configuration" "site" {
  bucket = aws_s3_bucket.site.id
  index_document {
    suffix = "index.html"
  }
  error_document {
    key = "error.html"
  }
}

resource "aws_s3_object" "index" {
  bucket  = aws_s3_bucket.site.id
  key     = "index.html"
  content = "<h1>hello</h1>"
}
