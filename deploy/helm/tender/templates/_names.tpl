{{- define "tender.name" -}}
{{- printf "%s-%s" .root.Release.Name .service | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "tender.selector" -}}
app.kubernetes.io/name: {{ .name | default "tender" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end -}}

{{- define "tender.labels" -}}
{{ include "tender.selector" . }}
app.kubernetes.io/part-of: tender
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "tender.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "tender.signerImage" -}}
{{- with .Values.signers.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Where treasury finds a signer: in this release, or where the values say. */ -}}
{{- define "tender.signerUrl" -}}
{{- if .root.Values.signers.enabled -}}
https://{{ include "tender.name" (dict "root" .root "service" (printf "signer-%s" .letter)) }}:8443
{{- else -}}
{{ index .root.Values.signers.places .letter }}
{{- end -}}
{{- end -}}

{{- /* One variable out of a secret; nothing when the secret has no name. */ -}}
{{- define "tender.secret" -}}
{{- if .from.existingSecret }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .from.existingSecret }}, key: {{ .from.key }} }
{{- end }}
{{- end -}}

{{- define "tender.environment" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $fixed := dict "HOST" "0.0.0.0" "PORT" "8080" "METRICS_PORT" "9464" "DATA_DIR" "/data" "LOG_LEVEL" $values.logLevel "WEBHOOK_ALLOW_LOOPBACK" "false" "PUBLIC_URL" $values.publicUrl "APPROVAL_URL" $values.approvalUrl -}}
{{- if eq .service "gateway" }}{{ $_ := set $fixed "TEST_HELPERS" "false" }}{{ end -}}
{{- /* The gateway's own port is for clients: the services ask it at another, by the name that has every replica. */ -}}
{{- range $name, $_ := $values.services -}}
{{- $place := ternary "gateway-internal" $name (eq $name "gateway") -}}
{{- $port := ternary 8081 8080 (eq $name "gateway") -}}
{{- $url := printf "http://%s:%d" (include "tender.name" (dict "root" $root "service" $place)) (int $port) -}}
{{- $_ := set $fixed (printf "%s_URL" ($name | upper | replace "-" "_")) $url -}}
{{- end -}}
{{- if and (eq .service "gateway") $values.adminNetworks }}{{ $_ := set $fixed "ADMIN_NETWORKS" (join "," $values.adminNetworks) }}{{ end -}}
{{- if and (eq .service "gateway") $values.trustedProxies }}{{ $_ := set $fixed "TRUSTED_PROXIES" (join "," $values.trustedProxies) }}{{ end -}}
{{- if and (has .service (list "billing" "gateway" "refunds-disputes")) $values.mailFrom }}{{ $_ := set $fixed "MAIL_FROM" $values.mailFrom }}{{ end -}}
{{- if and (eq .service "treasury") $values.signers.recoveryKey -}}
{{- range $letter := list "a" "b" -}}
{{- $_ := set $fixed (printf "SIGNER_%s_URL" (upper $letter)) (include "tender.signerUrl" (dict "root" $root "letter" $letter)) -}}
{{- $_ := set $fixed (printf "SIGNER_%s_IDENTITY" (upper $letter)) (index $values.signers.identities $letter) -}}
{{- end -}}
{{- $files := dict "TREASURY_IDENTITY_FILE" "/signers/identity" "SIGNER_TLS_CERT" "/signers/tls.crt" "SIGNER_TLS_KEY" "/signers/tls.key" "SIGNER_TLS_CA" "/signers/ca.crt" -}}
{{- $_ := merge $fixed $files (dict "RECOVERY_PUBLIC_KEY" $values.signers.recoveryKey) -}}
{{- end -}}
{{- with $values.otlpEndpoint }}{{ $_ := set $fixed "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end -}}
{{- range $name, $value := merge (dict) .settings.env $fixed }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "tender.secret" (dict "name" "DATABASE_URL" "from" $values.secrets.database) }}
{{- include "tender.secret" (dict "name" "KAFKA_BROKERS" "from" $values.secrets.kafka) }}
{{- include "tender.secret" (dict "name" "KAFKA_USERNAME" "from" $values.secrets.kafkaUsername) }}
{{- include "tender.secret" (dict "name" "KAFKA_PASSWORD" "from" $values.secrets.kafkaPassword) }}
{{- include "tender.secret" (dict "name" "EVENTSTORE_URL" "from" $values.secrets.eventstore) }}
{{- include "tender.secret" (dict "name" "SOLANA_RPC_URL_TEST" "from" $values.secrets.solanaTest) }}
{{- include "tender.secret" (dict "name" "SOLANA_RPC_URL_LIVE" "from" $values.secrets.solanaLive) }}
{{- include "tender.secret" (dict "name" "MASTER_KEY" "from" $values.secrets.masterKey) }}
{{- include "tender.secret" (dict "name" "INTERNAL_SECRET" "from" $values.secrets.internal) }}
{{- if has .service (list "billing" "gateway" "refunds-disputes") }}
{{- include "tender.secret" (dict "name" "SMTP_URL" "from" $values.secrets.smtp) }}
{{- end }}
{{- if eq .service "gateway" }}
{{- include "tender.secret" (dict "name" "ADMIN_TOKEN" "from" $values.secrets.adminToken) }}
{{- include "tender.secret" (dict "name" "SIGNUP_TOKEN" "from" $values.secrets.signupToken) }}
{{- end }}
{{- end -}}
