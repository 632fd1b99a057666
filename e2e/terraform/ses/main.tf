resource "aws_ses_domain_identity" "shop" {
  domain = "shop.example.com"
}

resource "aws_ses_domain_identity_verification" "shop" {
  domain = aws_ses_domain_identity.shop.id
}

resource "aws_ses_domain_dkim" "shop" {
  domain = aws_ses_domain_identity.shop.domain
}

resource "aws_ses_domain_mail_from" "shop" {
  domain           = aws_ses_domain_identity.shop.domain
  mail_from_domain = "bounce.${aws_ses_domain_identity.shop.domain}"
}

resource "aws_ses_email_identity" "ann" {
  email = "ann@example.org"
}

resource "aws_ses_configuration_set" "orders" {
  name                       = "orders"
  reputation_metrics_enabled = true

  delivery_options {
    tls_policy = "Require"
  }
}

resource "aws_sns_topic" "events" {
  name = "ses-events"
}

resource "aws_ses_event_destination" "orders" {
  name                   = "orders"
  configuration_set_name = aws_ses_configuration_set.orders.name
  enabled                = true
  matching_types         = ["bounce", "send"]

  sns_destination {
    topic_arn = aws_sns_topic.events.arn
  }
}

resource "aws_ses_identity_notification_topic" "bounces" {
  topic_arn                = aws_sns_topic.events.arn
  notification_type        = "Bounce"
  identity                 = aws_ses_domain_identity.shop.domain
  include_original_headers = true
}

resource "aws_ses_template" "welcome" {
  name    = "welcome"
  subject = "Hello {{name}}"
  text    = "Hello {{name}}"
}

resource "aws_ses_receipt_rule_set" "mail" {
  rule_set_name = "mail"
}

resource "aws_ses_receipt_rule" "tag" {
  name          = "tag"
  rule_set_name = aws_ses_receipt_rule_set.mail.rule_set_name
  recipients    = ["info@shop.example.com"]
  enabled       = true

  add_header_action {
    header_name  = "X-Shop"
    header_value = "yes"
    position     = 1
  }
}

resource "aws_ses_active_receipt_rule_set" "mail" {
  rule_set_name = aws_ses_receipt_rule_set.mail.rule_set_name
}

resource "aws_ses_receipt_filter" "block" {
  name   = "block"
  cidr   = "192.0.2.0/24"
  policy = "Block"
}

resource "aws_sesv2_email_identity" "store" {
  email_identity         = "store.example.com"
  configuration_set_name = aws_sesv2_configuration_set.store.configuration_set_name

  tags = {
    Team = "store"
  }
}

resource "aws_sesv2_configuration_set" "store" {
  configuration_set_name = "store"

  sending_options {
    sending_enabled = true
  }

  suppression_options {
    suppressed_reasons = ["BOUNCE"]
  }
}

resource "aws_sesv2_configuration_set_event_destination" "store" {
  configuration_set_name = aws_sesv2_configuration_set.store.configuration_set_name
  event_destination_name = "topic"

  event_destination {
    enabled              = true
    matching_event_types = ["SEND"]

    sns_destination {
      topic_arn = aws_sns_topic.events.arn
    }
  }
}

resource "aws_sesv2_contact_list" "customers" {
  contact_list_name = "customers"
  description       = var.changed ? "Second" : "First"

  topic {
    topic_name                  = "news"
    display_name                = var.changed ? "All news" : "News"
    default_subscription_status = "OPT_IN"
  }
}

resource "aws_sesv2_dedicated_ip_pool" "pool" {
  pool_name = "pool"
}
