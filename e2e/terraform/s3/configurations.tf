variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

locals {
  buckets = ["access", "archive", "copies", "locked", "logs", "owned", "replica", "settings"]
}

resource "aws_s3_bucket" "each" {
  for_each            = toset(local.buckets)
  bucket              = "terraform-${each.key}"
  force_destroy       = true
  object_lock_enabled = each.key == "locked"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_s3_bucket_versioning" "each" {
  for_each = toset(["access", "replica", "settings"])
  bucket   = aws_s3_bucket.each[each.key].id

  versioning_configuration {
    status = var.changed && each.key == "settings" ? "Suspended" : "Enabled"
  }
}

resource "aws_s3_bucket_accelerate_configuration" "settings" {
  bucket = aws_s3_bucket.each["settings"].id
  status = var.changed ? "Suspended" : "Enabled"
}

resource "aws_s3_bucket_request_payment_configuration" "settings" {
  bucket = aws_s3_bucket.each["settings"].id
  payer  = var.changed ? "BucketOwner" : "Requester"
}

resource "aws_s3_bucket_ownership_controls" "owned" {
  bucket = aws_s3_bucket.each["owned"].id

  rule {
    object_ownership = var.changed ? "ObjectWriter" : "BucketOwnerPreferred"
  }
}

resource "aws_s3_bucket_public_access_block" "owned" {
  bucket              = aws_s3_bucket.each["owned"].id
  block_public_acls   = false
  block_public_policy = var.changed
}

resource "aws_s3_bucket_acl" "owned" {
  bucket     = aws_s3_bucket.each["owned"].id
  acl        = var.changed ? "private" : "public-read"
  depends_on = [aws_s3_bucket_ownership_controls.owned, aws_s3_bucket_public_access_block.owned]
}

data "aws_canonical_user_id" "current" {}

resource "aws_s3_bucket_ownership_controls" "logs" {
  bucket = aws_s3_bucket.each["logs"].id

  rule {
    object_ownership = "BucketOwnerPreferred"
  }
}

resource "aws_s3_bucket_acl" "logs" {
  bucket     = aws_s3_bucket.each["logs"].id
  depends_on = [aws_s3_bucket_ownership_controls.logs]

  access_control_policy {
    grant {
      permission = var.changed ? "WRITE" : "READ"
      grantee {
        id   = data.aws_canonical_user_id.current.id
        type = "CanonicalUser"
      }
    }

    grant {
      permission = "READ_ACP"
      grantee {
        type = "Group"
        uri  = "http://acs.amazonaws.com/groups/s3/LogDelivery"
      }
    }

    owner {
      id = data.aws_canonical_user_id.current.id
    }
  }
}

resource "aws_s3_bucket_logging" "access" {
  bucket        = aws_s3_bucket.each["access"].id
  target_bucket = aws_s3_bucket.each["logs"].id
  target_prefix = var.changed ? "second/" : "first/"
  depends_on    = [aws_s3_bucket_ownership_controls.logs]

  target_object_key_format {
    partitioned_prefix {
      partition_date_source = "EventTime"
    }
  }

  target_grant {
    permission = "READ"
    grantee {
      type = "Group"
      uri  = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers"
    }
  }
}

resource "aws_s3_bucket_logging" "simple" {
  bucket        = aws_s3_bucket.each["copies"].id
  target_bucket = aws_s3_bucket.each["logs"].id
  target_prefix = "copies/"

  target_object_key_format {
    simple_prefix {}
  }
}

resource "aws_s3_bucket_object_lock_configuration" "locked" {
  bucket = aws_s3_bucket.each["locked"].id

  rule {
    default_retention {
      mode  = var.changed ? "GOVERNANCE" : "COMPLIANCE"
      days  = var.changed ? null : 5
      years = var.changed ? 1 : null
    }
  }
}

resource "aws_s3_bucket_analytics_configuration" "all" {
  bucket = aws_s3_bucket.each["settings"].id
  name   = "all"

  storage_class_analysis {
    data_export {
      destination {
        s3_bucket_destination {
          bucket_arn = aws_s3_bucket.each["logs"].arn
          prefix     = var.changed ? "second" : "first"
        }
      }
    }
  }
}

resource "aws_s3_bucket_analytics_configuration" "filtered" {
  bucket = aws_s3_bucket.each["settings"].id
  name   = "filtered"

  filter {
    prefix = "documents/"

    tags = {
      priority = "high"
      class    = var.changed ? "red" : "blue"
    }
  }
}

resource "aws_s3_bucket_inventory" "weekly" {
  bucket                   = aws_s3_bucket.each["settings"].id
  name                     = "weekly"
  included_object_versions = "All"
  enabled                  = !var.changed
  optional_fields          = var.changed ? ["Size"] : ["Size", "ETag", "StorageClass"]

  filter {
    prefix = "documents/"
  }

  schedule {
    frequency = var.changed ? "Daily" : "Weekly"
  }

  destination {
    bucket {
      format     = "ORC"
      bucket_arn = aws_s3_bucket.each["logs"].arn
      prefix     = "inventory"

      encryption {
        sse_s3 {}
      }
    }
  }
}

resource "aws_s3_bucket_inventory" "daily" {
  bucket                   = aws_s3_bucket.each["settings"].id
  name                     = "daily"
  included_object_versions = "Current"

  schedule {
    frequency = "Daily"
  }

  destination {
    bucket {
      account_id = "123456789012"
      format     = "CSV"
      bucket_arn = aws_s3_bucket.each["logs"].arn

      encryption {
        sse_kms {
          key_id = aws_kms_key.objects.arn
        }
      }
    }
  }
}

resource "aws_kms_key" "objects" {
  description             = "s3-objects"
  deletion_window_in_days = 7
}

resource "aws_s3_bucket_metric" "all" {
  bucket = aws_s3_bucket.each["settings"].id
  name   = "all"
}

resource "aws_s3_bucket_metric" "filtered" {
  bucket = aws_s3_bucket.each["settings"].id
  name   = "filtered"

  filter {
    prefix = var.changed ? "b/" : "a/"

    tags = {
      priority = "high"
    }
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "archive" {
  bucket = aws_s3_bucket.each["archive"].id

  rule {
    bucket_key_enabled = var.changed

    apply_server_side_encryption_by_default {
      kms_master_key_id = aws_kms_key.objects.arn
      sse_algorithm     = var.changed ? "aws:kms:dsse" : "aws:kms"
    }
  }
}

resource "aws_s3_bucket_cors_configuration" "settings" {
  bucket = aws_s3_bucket.each["settings"].id

  cors_rule {
    id              = "write"
    allowed_headers = ["*"]
    allowed_methods = var.changed ? ["PUT"] : ["PUT", "POST"]
    allowed_origins = ["https://shop.example"]
    expose_headers  = ["ETag"]
    max_age_seconds = var.changed ? 0 : 3000
  }

  cors_rule {
    allowed_methods = ["GET"]
    allowed_origins = ["*"]
  }
}

resource "aws_s3_bucket_website_configuration" "settings" {
  bucket = aws_s3_bucket.each["settings"].id

  index_document {
    suffix = var.changed ? "start.html" : "index.html"
  }

  routing_rule {
    condition {
      key_prefix_equals = "docs/"
    }
    redirect {
      replace_key_prefix_with = "documents/"
    }
  }

  routing_rule {
    condition {
      http_error_code_returned_equals = "404"
    }
    redirect {
      host_name          = "shop.example"
      http_redirect_code = "302"
      protocol           = "https"
      replace_key_with   = "error.html"
    }
  }
}

resource "aws_s3_bucket_website_configuration" "redirect" {
  bucket = aws_s3_bucket.each["copies"].id

  redirect_all_requests_to {
    host_name = "shop.example"
    protocol  = var.changed ? "http" : "https"
  }
}

resource "aws_s3_bucket_website_configuration" "rules" {
  bucket = aws_s3_bucket.each["owned"].id

  index_document {
    suffix = "index.html"
  }

  routing_rules = jsonencode([{
    Condition = { KeyPrefixEquals = "docs/" }
    Redirect  = { ReplaceKeyPrefixWith = var.changed ? "" : "documents/" }
  }])
}

resource "aws_iam_role" "replication" {
  name = "s3-replication"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "s3.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_s3_bucket_replication_configuration" "access" {
  bucket     = aws_s3_bucket.each["access"].id
  role       = aws_iam_role.replication.arn
  depends_on = [aws_s3_bucket_versioning.each]

  rule {
    id       = "first"
    priority = 1
    status   = "Enabled"

    filter {
      prefix = "documents/"
    }

    delete_marker_replication {
      status = var.changed ? "Disabled" : "Enabled"
    }

    destination {
      bucket        = aws_s3_bucket.each["replica"].arn
      storage_class = "STANDARD_IA"

      encryption_configuration {
        replica_kms_key_id = aws_kms_key.objects.arn
      }

      metrics {
        status = "Enabled"
        event_threshold {
          minutes = 15
        }
      }

      replication_time {
        status = "Enabled"
        time {
          minutes = 15
        }
      }
    }

    source_selection_criteria {
      sse_kms_encrypted_objects {
        status = "Enabled"
      }
      replica_modifications {
        status = "Enabled"
      }
    }
  }

  rule {
    id       = "second"
    priority = 2
    status   = "Enabled"

    filter {
      and {
        prefix = "tagged/"
        tags = {
          kind = var.changed ? "b" : "a"
        }
      }
    }

    delete_marker_replication {
      status = "Disabled"
    }

    destination {
      bucket = aws_s3_bucket.each["replica"].arn
    }
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "archive" {
  bucket                                 = aws_s3_bucket.each["archive"].id
  transition_default_minimum_object_size = var.changed ? "all_storage_classes_128K" : "varies_by_storage_class"

  rule {
    id     = "log"
    status = "Enabled"

    filter {
      and {
        prefix                   = "log/"
        object_size_greater_than = 500
        object_size_less_than    = 64000

        tags = {
          rule      = "log"
          autoclean = "true"
        }
      }
    }

    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }

    transition {
      days          = var.changed ? 90 : 60
      storage_class = "GLACIER"
    }

    expiration {
      days = 365
    }
  }

  rule {
    id     = "tmp"
    status = var.changed ? "Disabled" : "Enabled"

    filter {
      tag {
        key   = "kind"
        value = "temporary"
      }
    }

    expiration {
      date = "2035-01-13T00:00:00Z"
    }
  }

  rule {
    id     = "versions"
    status = "Enabled"

    filter {
      object_size_greater_than = 1000
    }

    noncurrent_version_expiration {
      noncurrent_days           = 90
      newer_noncurrent_versions = 3
    }

    noncurrent_version_transition {
      noncurrent_days = 30
      storage_class   = "STANDARD_IA"
    }
  }

  rule {
    id     = "uploads"
    status = "Enabled"

    filter {}

    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }

    expiration {
      expired_object_delete_marker = true
    }
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "settings" {
  bucket = aws_s3_bucket.each["settings"].id

  rule {
    id     = "all"
    prefix = ""
    status = "Enabled"

    transition {
      days          = 0
      storage_class = "INTELLIGENT_TIERING"
    }
  }
}

resource "aws_s3_bucket_notification" "settings" {
  bucket      = aws_s3_bucket.each["settings"].id
  eventbridge = var.changed
}

resource "aws_s3_object" "settings" {
  bucket                 = aws_s3_bucket.each["copies"].id
  key                    = "settings.json"
  content                = jsonencode({ state = var.changed ? 2 : 1 })
  content_type           = "application/json"
  cache_control          = var.changed ? "no-store" : "max-age=60"
  content_disposition    = "attachment"
  content_encoding       = "identity"
  content_language       = "en"
  storage_class          = "STANDARD_IA"
  website_redirect       = "/other"
  server_side_encryption = "aws:kms"
  kms_key_id             = aws_kms_key.objects.arn
  bucket_key_enabled     = true
  checksum_algorithm     = "SHA256"

  metadata = {
    owner = var.changed ? "shop" : "orders"
  }

  tags = {
    Kind = var.changed ? "second" : "first"
  }
}

resource "aws_s3_object" "locked" {
  bucket                        = aws_s3_bucket.each["locked"].id
  key                           = "locked"
  content_base64                = base64encode("locked")
  force_destroy                 = true
  object_lock_legal_hold_status = "ON"
  object_lock_mode              = "GOVERNANCE"
  object_lock_retain_until_date = var.changed ? "2031-12-31T23:59:59Z" : "2030-12-31T23:59:59Z"
}

resource "aws_s3_bucket_object" "former" {
  bucket  = aws_s3_bucket.each["copies"].id
  key     = "former"
  content = var.changed ? "second" : "first"
  acl     = "private"
}

resource "aws_s3_object_copy" "copy" {
  bucket             = aws_s3_bucket.each["copies"].id
  key                = "copy"
  source             = "${aws_s3_bucket.each["copies"].id}/${aws_s3_object.settings.key}"
  metadata_directive = "REPLACE"
  tagging_directive  = "REPLACE"
  content_type       = "text/plain"
  checksum_algorithm = "CRC32C"

  metadata = {
    copied = "yes"
  }

  tags = {
    Kind = var.changed ? "second" : "first"
  }
}

# A bucket with all settings inside, as older configurations have them.
resource "aws_s3_bucket" "inside" {
  bucket_prefix       = "terraform-inside-"
  force_destroy       = true
  acceleration_status = "Enabled"
  acl                 = "private"
  request_payer       = "Requester"

  cors_rule {
    allowed_methods = ["GET"]
    allowed_origins = ["*"]
    max_age_seconds = 60
  }

  lifecycle_rule {
    id      = "log"
    enabled = true
    prefix  = "log/"

    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }

    expiration {
      days = 90
    }

    noncurrent_version_expiration {
      days = 30
    }
  }

  server_side_encryption_configuration {
    rule {
      apply_server_side_encryption_by_default {
        sse_algorithm = "AES256"
      }
    }
  }

  versioning {
    enabled = true
  }

  website {
    index_document = var.changed ? "start.html" : "index.html"
    error_document = "error.html"
  }

  logging {
    target_bucket = aws_s3_bucket.each["logs"].id
    target_prefix = "inside/"
  }
}
