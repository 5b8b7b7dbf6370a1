import type { ReactNode } from 'react'
import { useFieldArray } from 'react-hook-form'
import * as v from 'valibot'
import { fitsRequest, showcaseForm } from '../../../events/settings/showcase.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { PhotoField } from '../../staff/photo-field.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldError, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { ClaimsFields, claimRows, typedClaims } from './claims-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** `showcaseForm` with a row for each claim. */
const fieldsForm = v.pipe(v.strictObject({ ...showcaseForm.entries, claims: typedClaims }), fitsRequest())

const valuesOf = (settings: Settings) => ({ ...settings.showcase, claims: claimRows(settings) })

/** The agency's showcase, in numbers. */
const ShowcaseLine = ({ settings }: { settings: Settings }) => {
  const { socialLinks, works, reviews, people } = settings.showcase
  const claimed = claimRows(settings).filter(({ figure }) => figure !== '')
  return (
    <p>
      Social links: {socialLinks.length}. Further work: {works.length}. Reviews: {reviews.length}. People:{' '}
      {people.length}. Claims: {claimed.map(({ figure, label }) => `${figure} ${label}`).join(', ') || 'none'}.
    </p>
  )
}

const Group = (props: {
  title: string
  ids: string[]
  /** The name of one of them. */
  one: string
  onAdd: () => void
  onRemove: (index: number) => void
  error: string | undefined
  row: (index: number) => ReactNode
}) => (
  <fieldset css={{ minWidth: 0, margin: 0, padding: 0, border: 0 }}>
    <legend css={{ marginBottom: space.tight, padding: 0, fontWeight: 600 }}>{props.title}</legend>
    <ul css={{ display: 'grid', gap: space.roomy }}>
      {props.ids.map((id, index) => (
        <li key={id} css={{ display: 'grid', gap: space.snug }}>
          {props.row(index)}
          <Button
            look="quiet"
            aria-label={`Remove ${props.one} ${index + 1}`}
            onClick={() => props.onRemove(index)}
            css={{ justifySelf: 'start' }}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
    {props.error && <FieldError id={props.one} error={props.error} />}
    <Button look="quiet" css={{ marginTop: space.snug }} onClick={props.onAdd}>
      Add a {props.one}
    </Button>
  </fieldset>
)

const pair = { display: 'grid', gap: space.snug, [from.medium]: { gridTemplateColumns: '1fr 2fr' } }

const useShowcaseForm = (props: SettingsFormProps) => useSettingsForm(props, SHOWCASE, fieldsForm, valuesOf)

const PersonFields = ({ form, index }: { form: ReturnType<typeof useShowcaseForm>; index: number }) => {
  const { clearErrors, field, formState, getFieldState, setError, setValue, watch } = form
  const photo = `people.${index}.photo` as const
  return (
    <>
      <div css={pair}>
        <TextField id={`person-${index}-name`} label="Name" {...field(`people.${index}.name`)} />
        <TextField id={`person-${index}-role`} label="Role" {...field(`people.${index}.role`)} />
      </div>
      <PhotoField
        id={`person-${index}-photo`}
        label="Photo"
        photo={watch(photo) ?? null}
        error={getFieldState(photo, formState).error?.message}
        onPhoto={(chosen) => {
          clearErrors(photo)
          setValue(photo, chosen, { shouldDirty: true })
        }}
        onRefused={(message) => setError(photo, { message })}
      />
    </>
  )
}

/** Social links, further work, reviews, and the people who reply, for owners to change. */
const ShowcaseForm = (props: SettingsFormProps) => {
  const form = useShowcaseForm(props)
  const { control, field } = form
  const errors = form.formState.errors
  const links = useFieldArray({ control, name: 'socialLinks' })
  const works = useFieldArray({ control, name: 'works' })
  const reviews = useFieldArray({ control, name: 'reviews' })
  const people = useFieldArray({ control, name: 'people' })
  const messageOf = (name: 'socialLinks' | 'works' | 'reviews' | 'people') =>
    errors[name]?.root?.message ?? errors[name]?.message
  const linkRow = (group: 'socialLinks' | 'works', index: number) => (
    <div css={pair}>
      <TextField id={`${group}-${index}-name`} label="Name" {...field(`${group}.${index}.name`)} />
      <TextField id={`${group}-${index}-href`} label="Address" type="url" {...field(`${group}.${index}.href`)} />
    </div>
  )
  return (
    <SettingsForm form={form} gap={space.wide}>
      <ClaimsFields areFirst={props.settings.showcase.claims === undefined} field={field} />
      <Group
        title="Social links"
        one="social link"
        ids={links.fields.map(({ id }) => id)}
        onAdd={() => links.append({ name: '', href: 'https://' })}
        onRemove={links.remove}
        error={messageOf('socialLinks')}
        row={(index) => linkRow('socialLinks', index)}
      />
      <Group
        title="Further work: websites that you have built"
        one="website"
        ids={works.fields.map(({ id }) => id)}
        onAdd={() => works.append({ name: '', href: 'https://' })}
        onRemove={works.remove}
        error={messageOf('works')}
        row={(index) => linkRow('works', index)}
      />
      <Group
        title="Reviews, in the customers' own words"
        one="review"
        ids={reviews.fields.map(({ id }) => id)}
        onAdd={() => reviews.append({ name: '', text: '' })}
        onRemove={reviews.remove}
        error={messageOf('reviews')}
        row={(index) => (
          <div css={pair}>
            <TextField id={`review-${index}-name`} label="Who said it" {...field(`reviews.${index}.name`)} />
            <TextAreaField id={`review-${index}-text`} label="Review" rows={2} {...field(`reviews.${index}.text`)} />
          </div>
        )}
      />
      <Group
        title="The people who answer"
        one="person"
        ids={people.fields.map(({ id }) => id)}
        onAdd={() => people.append({ name: '', role: '', photo: null })}
        onRemove={people.remove}
        error={messageOf('people')}
        row={(index) => <PersonFields form={form} index={index} />}
      />
    </SettingsForm>
  )
}

export const SHOWCASE: PartSection = {
  id: 'showcase',
  title: 'Showcase',
  noun: 'showcase',
  intro: 'The agency on the website: claims, links, work, reviews and faces. Empty parts do not show.',
  Form: ShowcaseForm,
  Shown: ShowcaseLine,
}
