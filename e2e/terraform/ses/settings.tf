variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_s3_bucket" "mail" {
  bucket        = "terraform-mail"
  force_destroy = true
}

resource "aws_s3_bucket_policy" "mail" {
  bucket = aws_s3_bucket.mail.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ses.amazonaws.com" }
      Action    = "s3:PutObject"
      Resource  = "${aws_s3_bucket.mail.arn}/*"
    }]
  })
}

resource "aws_iam_role" "mail" {
  name = "ses-mail"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "ses.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "mail" {
  role = aws_iam_role.mail.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["firehose:*", "kinesis:*"], Resource = "*" }]
  })
}

resource "aws_ses_receipt_rule" "store" {
  name          = "store"
  rule_set_name = aws_ses_receipt_rule_set.mail.rule_set_name
  after         = aws_ses_receipt_rule.tag.name
  recipients    = var.changed ? ["a@shop.example.com"] : ["a@shop.example.com", "b@shop.example.com"]
  enabled       = !var.changed
  scan_enabled  = true
  tls_policy    = var.changed ? "Require" : "Optional"
  depends_on    = [aws_s3_bucket_policy.mail]

  add_header_action {
    header_name  = "X-Stored"
    header_value = var.changed ? "second" : "first"
    position     = 1
  }

  s3_action {
    bucket_name       = aws_s3_bucket.mail.bucket
    object_key_prefix = "in/"
    position          = 2
    topic_arn         = aws_sns_topic.events.arn
  }

  sns_action {
    topic_arn = aws_sns_topic.events.arn
    encoding  = "Base64"
    position  = 3
  }

  bounce_action {
    message         = "Gone"
    sender          = "a@shop.example.com"
    smtp_reply_code = "550"
    status_code     = "5.1.1"
    position        = 4
  }

  stop_action {
    scope    = "RuleSet"
    position = 5
  }
}

resource "aws_ses_configuration_set" "tracked" {
  name                       = "tracked"
  reputation_metrics_enabled = var.changed
  sending_enabled            = !var.changed

  tracking_options {
    custom_redirect_domain = "sub.${aws_ses_domain_identity_verification.shop.domain}"
  }
}

resource "aws_ses_event_destination" "metrics" {
  name                   = "metrics"
  configuration_set_name = aws_ses_configuration_set.tracked.name
  matching_types         = ["delivery", "open"]

  cloudwatch_destination {
    default_value  = "default"
    dimension_name = "dimension"
    value_source   = "emailHeader"
  }
}

resource "aws_ses_domain_identity" "other" {
  domain = "other.example.com"
}

resource "aws_ses_identity_policy" "other" {
  identity = aws_ses_domain_identity.other.arn
  name     = "other"

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "second" : "first"
      Effect    = "Allow"
      Principal = { AWS = "*" }
      Action    = ["SES:SendEmail", "SES:SendRawEmail"]
      Resource  = aws_ses_domain_identity.other.arn
    }]
  })
}

resource "aws_ses_template" "changing" {
  name    = "changing"
  subject = var.changed ? "Second, {{name}}" : "First, {{name}}"
  html    = "<h1>Hello {{name}}</h1>"
}

resource "aws_ses_domain_mail_from" "other" {
  domain                 = aws_ses_domain_identity.other.domain
  mail_from_domain       = var.changed ? "second.other.example.com" : "first.other.example.com"
  behavior_on_mx_failure = "RejectMessage"
}

resource "aws_sesv2_configuration_set" "settings" {
  configuration_set_name = "settings"

  delivery_options {
    max_delivery_seconds = var.changed ? 400 : 300
    tls_policy           = "REQUIRE"
    sending_pool_name    = aws_sesv2_dedicated_ip_pool.pool.pool_name
  }

  reputation_options {
    reputation_metrics_enabled = var.changed
  }

  sending_options {
    sending_enabled = !var.changed
  }

  suppression_options {
    suppressed_reasons = var.changed ? ["COMPLAINT"] : ["BOUNCE", "COMPLAINT"]
  }

  vdm_options {
    dashboard_options {
      engagement_metrics = var.changed ? "DISABLED" : "ENABLED"
    }
    guardian_options {
      optimized_shared_delivery = "ENABLED"
    }
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_kinesis_firehose_delivery_stream" "mail" {
  name        = "ses-mail"
  destination = "extended_s3"
  depends_on  = [aws_iam_role_policy.mail]

  extended_s3_configuration {
    role_arn   = aws_iam_role.mail.arn
    bucket_arn = aws_s3_bucket.mail.arn
  }
}

resource "aws_sesv2_configuration_set_event_destination" "each" {
  for_each               = toset(["bus", "metrics", "stream"])
  configuration_set_name = aws_sesv2_configuration_set.settings.configuration_set_name
  event_destination_name = each.key

  event_destination {
    enabled              = var.changed
    matching_event_types = var.changed ? ["SEND", "BOUNCE"] : ["SEND"]

    dynamic "event_bridge_destination" {
      for_each = each.key == "bus" ? [1] : []
      content {
        event_bus_arn = "arn:aws:events:eu-central-1:123456789012:event-bus/default"
      }
    }

    dynamic "cloud_watch_destination" {
      for_each = each.key == "metrics" ? [1] : []
      content {
        dimension_configuration {
          default_dimension_value = "example"
          dimension_name          = "example"
          dimension_value_source  = "MESSAGE_TAG"
        }
      }
    }

    dynamic "kinesis_firehose_destination" {
      for_each = each.key == "stream" ? [1] : []
      content {
        delivery_stream_arn = aws_kinesis_firehose_delivery_stream.mail.arn
        iam_role_arn        = aws_iam_role.mail.arn
      }
    }
  }
}

resource "aws_sesv2_email_identity" "mailbox" {
  email_identity = "mailbox@example.net"
}

resource "aws_sesv2_email_identity" "keys" {
  email_identity         = "keys.example.com"
  configuration_set_name = var.changed ? aws_sesv2_configuration_set.settings.configuration_set_name : null

  dkim_signing_attributes {
    next_signing_key_length = var.changed ? "RSA_1024_BIT" : "RSA_2048_BIT"
  }
}

resource "aws_sesv2_email_identity_feedback_attributes" "mailbox" {
  email_identity           = aws_sesv2_email_identity.mailbox.email_identity
  email_forwarding_enabled = var.changed
}

resource "aws_sesv2_email_identity_mail_from_attributes" "keys" {
  email_identity         = aws_sesv2_email_identity.keys.email_identity
  behavior_on_mx_failure = var.changed ? "USE_DEFAULT_VALUE" : "REJECT_MESSAGE"
  mail_from_domain       = "bounce.keys.example.com"
}

resource "aws_sesv2_email_identity_policy" "keys" {
  email_identity = aws_sesv2_email_identity.keys.email_identity
  policy_name    = "keys"

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "second" : "first"
      Effect    = "Allow"
      Principal = { AWS = "*" }
      Action    = ["ses:DeleteEmailIdentity"]
      Resource  = aws_sesv2_email_identity.keys.arn
    }]
  })
}

resource "aws_sesv2_dedicated_ip_pool" "managed" {
  pool_name    = "managed"
  scaling_mode = "MANAGED"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_sesv2_account_suppression_attributes" "account" {
  suppressed_reasons = var.changed ? ["COMPLAINT"] : ["BOUNCE", "COMPLAINT"]
}

resource "aws_sesv2_account_vdm_attributes" "account" {
  vdm_enabled = var.changed ? "DISABLED" : "ENABLED"

  dashboard_attributes {
    engagement_metrics = var.changed ? "DISABLED" : "ENABLED"
  }

  guardian_attributes {
    optimized_shared_delivery = var.changed ? "DISABLED" : "ENABLED"
  }
}
