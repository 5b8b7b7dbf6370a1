import * as v from 'valibot'
import { PACKAGES } from '../../../events/contract/packages.ts'
import { CONTRACTS } from '../../../events/contract/texts.ts'
import { lines, MAX_LINE_CHARACTERS, packageTexts, someLines } from '../../../events/settings/package-texts.ts'
import { PACKAGE_IDS, type PackageId } from '../../../events/settings/prices.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { space, type } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** A text area; each line that is not blank counts. */
const typedLines = v.pipe(
  v.string(),
  v.transform((text): (string | null | undefined)[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
  v.check(
    (typed) => typed.every((line) => (line?.length ?? 0) <= MAX_LINE_CHARACTERS),
    `A line has at most ${MAX_LINE_CHARACTERS} characters`,
  ),
)

const fields = v.object({
  ...packageTexts.entries,
  features: v.pipe(typedLines, someLines),
  included: v.pipe(typedLines, someLines),
  notIncluded: v.pipe(typedLines, lines),
  terms: v.pipe(typedLines, someLines),
})

type Texts = { forWhom: string; delivery: string; summary: string } & Record<
  'features' | 'included' | 'notIncluded' | 'terms',
  readonly string[]
>

/** A package's default texts, as typed values. */
const defaultsOf = (id: PackageId): Texts => {
  const { forWhom, features, delivery } = PACKAGES.find((one) => one.id === id) ?? PACKAGES[0]
  const { summary, included, notIncluded, terms } = CONTRACTS[id]
  return { forWhom, features, delivery, summary, included, notIncluded, terms }
}

const typedOf = (texts: Texts) => ({
  ...texts,
  features: texts.features.join('\n'),
  included: texts.included.join('\n'),
  notIncluded: texts.notIncluded.join('\n'),
  terms: texts.terms.join('\n'),
})

const isOwn = (id: PackageId, texts: Texts) => JSON.stringify(texts) !== JSON.stringify({ ...texts, ...defaultsOf(id) })

/** `packageTextsForm` for typed values; packages with their default texts are left out. */
const allFields = v.pipe(
  v.object(v.entriesFromList(PACKAGE_IDS, fields)),
  v.transform((texts) => ({
    packages: Object.fromEntries(PACKAGE_IDS.flatMap((id) => (isOwn(id, texts[id]) ? [[id, texts[id]]] : []))),
  })),
)

const valuesOf = ({ packageTexts: own }: Settings) => ({
  essential: typedOf(own.essential ?? defaultsOf('essential')),
  professional: typedOf(own.professional ?? defaultsOf('professional')),
  premium: typedOf(own.premium ?? defaultsOf('premium')),
})

/** Which packages have texts of their own. */
const OwnTexts = ({ settings }: { settings: Settings }) => {
  const own = PACKAGES.filter(({ id }) => settings.packageTexts[id])
  return <p>{own.length === 0 ? 'The texts that come with the website.' : own.map(({ name }) => name).join(', ')}</p>
}

const AREAS = [
  ['features', 'On the card, a line each'],
  ['included', 'Included, a line each'],
  ['notIncluded', 'Not included, a line each'],
  ['terms', 'Terms, a line each'],
] as const

/** The texts of the packages' cards and contracts, for owners to change. */
const PackageTextsForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, PACKAGE_TEXTS, allFields, valuesOf)
  return (
    <SettingsForm form={form} gap={space.base}>
      {PACKAGES.map(({ id, name }) => (
        <details key={id} open={form.formState.errors[id] !== undefined || undefined}>
          <summary css={{ cursor: 'pointer', fontSize: type.step, fontWeight: 600 }}>{name}</summary>
          <div css={{ display: 'grid', gap: space.base, marginBlock: space.base }}>
            <TextField id={`${id}-for-whom`} label="Who it is for" {...form.field(`${id}.forWhom`)} />
            <TextField id={`${id}-delivery`} label="Delivery" {...form.field(`${id}.delivery`)} />
            <TextAreaField
              id={`${id}-summary`}
              label="Summary on the contract page"
              rows={2}
              {...form.field(`${id}.summary`)}
            />
            {AREAS.map(([field, label]) => (
              <TextAreaField
                key={field}
                id={`${id}-${field}`}
                label={label}
                rows={3}
                css={{ fieldSizing: 'content', minHeight: '4.25rem' }}
                {...form.field(`${id}.${field}`)}
              />
            ))}
          </div>
        </details>
      ))}
    </SettingsForm>
  )
}

export const PACKAGE_TEXTS: PartSection = {
  id: 'package-texts',
  noun: 'package texts',
  intro: 'The texts of the cards and contract pages. Names and prices do not change.',
  Form: PackageTextsForm,
  Shown: OwnTexts,
}
