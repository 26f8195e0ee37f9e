{{- define "muster.name" -}}
{{- if contains "muster" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-muster" (.Release.Name | trunc 45 | trimSuffix "-") }}{{ end }}
{{- end }}

{{- define "muster.selector" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "muster.labels" -}}
{{ include "muster.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* The name of a realm as files of muster cluster credentials have it: what is no letter or digit in hex, byte by byte. */}}
{{- define "muster.subject" -}}
{{- range splitList "" . }}{{ if regexMatch "^[0-9A-Za-z]$" . }}{{ . }}{{ else }}_{{ printf "% x" . | replace " " "_" }}{{ end }}{{ end }}
{{- end }}

{{- define "muster.tokenSecret" -}}
{{ .Values.admin.tokenSecret | default (printf "%s-admin" (include "muster.name" .)) }}
{{- end }}

{{- /* What all containers have in common, and what they are reached by: the name of a role and its ports. */}}
{{- define "muster.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
startupProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 10
  timeoutSeconds: 3
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 5
  timeoutSeconds: 3
resources: {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "muster.env" -}}
- name: MUSTER_ADMIN_TOKEN
  valueFrom:
    secretKeyRef: {name: {{ include "muster.tokenSecret" . }}, key: token}
{{- with .Values.database.passwordSecret }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef: {name: {{ . }}, key: password}
{{- end }}
{{- end }}

{{- define "muster.pod" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false # they would be settings: MUSTER_PORT and the like
terminationGracePeriodSeconds: 45 # saving all players takes 30 s at most
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "muster.claim" -}}
- metadata:
    name: data
  spec:
    accessModes: [ReadWriteOnce]
    {{- with .Values.persistence.storageClass }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests:
        storage: {{ .Values.persistence.size }}
{{- end }}
