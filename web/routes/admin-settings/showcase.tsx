import { useFieldArray } from 'react-hook-form'
import * as v from 'valibot'
import { fitsRequest, showcaseForm } from '../../../events/settings/showcase.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { PhotoField } from '../../staff/account/photo-field.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { ClaimsFields, claimRows, typedClaims } from './claims-fields.tsx'
import { ListRows, type ListRowsProps, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** `showcaseForm` with a row for each claim. */
const fieldsForm = v.pipe(v.strictObject({ ...showcaseForm.entries, claims: typedClaims }), fitsRequest())

const valuesOf = (settings: Settings) => ({ ...settings.showcase, claims: claimRows(settings) })

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

type GroupProps = Omit<ListRowsProps, 'id' | 'add'> & {
  title: string
  /** The name of one of them. */
  one: string
  onRemove: (index: number) => void
}

const Group = ({ title, one, onRemove, children, ...list }: GroupProps) => (
  <fieldset>
    <legend css={{ marginBottom: space.tight, padding: 0, fontWeight: 600 }}>{title}</legend>
    <ListRows id={one} add={`Add a ${one}`} isLined {...list}>
      {(index) => (
        <>
          {children(index)}
          <RemoveRow label={`Remove ${one} ${index + 1}`} onClick={() => onRemove(index)} />
        </>
      )}
    </ListRows>
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

const ShowcaseForm = (props: SettingsFormProps) => {
  const form = useShowcaseForm(props)
  const { control, field } = form
  const errors = form.formState.errors
  const links = useFieldArray({ control, name: 'socialLinks' })
  const works = useFieldArray({ control, name: 'works' })
  const reviews = useFieldArray({ control, name: 'reviews' })
  const people = useFieldArray({ control, name: 'people' })
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
        rows={links.fields}
        onAdd={() => links.append({ name: '', href: 'https://' })}
        onRemove={links.remove}
        problem={errors.socialLinks}
      >
        {(index) => linkRow('socialLinks', index)}
      </Group>
      <Group
        title="Further work: websites that you have built"
        one="website"
        rows={works.fields}
        onAdd={() => works.append({ name: '', href: 'https://' })}
        onRemove={works.remove}
        problem={errors.works}
      >
        {(index) => linkRow('works', index)}
      </Group>
      <Group
        title="Reviews, in the customers' own words"
        one="review"
        rows={reviews.fields}
        onAdd={() => reviews.append({ name: '', text: '' })}
        onRemove={reviews.remove}
        problem={errors.reviews}
      >
        {(index) => (
          <div css={pair}>
            <TextField id={`review-${index}-name`} label="Who said it" {...field(`reviews.${index}.name`)} />
            <TextAreaField id={`review-${index}-text`} label="Review" rows={2} {...field(`reviews.${index}.text`)} />
          </div>
        )}
      </Group>
      <Group
        title="The people who answer"
        one="person"
        rows={people.fields}
        onAdd={() => people.append({ name: '', role: '', photo: null })}
        onRemove={people.remove}
        problem={errors.people}
      >
        {(index) => <PersonFields form={form} index={index} />}
      </Group>
    </SettingsForm>
  )
}

export const SHOWCASE: PartSection = {
  id: 'showcase',
  noun: 'showcase',
  intro: 'The agency on the website: claims, links, work, reviews and faces. Empty claims are hidden.',
  Form: ShowcaseForm,
  Shown: ShowcaseLine,
}
